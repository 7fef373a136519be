"""What people say to each other and to the staff: messages, reports, news, help."""
