"""The subcommands of ``crownhead pdn``, one per module, and the parts they share."""
