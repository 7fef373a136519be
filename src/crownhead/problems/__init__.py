"""Problems: positions in which one move alone wins or draws; mined from games, proven and solved."""
