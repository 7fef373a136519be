"""Games: their rows, the verbs that change them, the questions asked of them, their API."""
