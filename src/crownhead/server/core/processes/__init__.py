"""What the processes of one club share: queues of tasks, and messages to each other."""
