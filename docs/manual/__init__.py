"""What the manual shows is asked of the code: tables, diagrams and command pages made while it is built."""
