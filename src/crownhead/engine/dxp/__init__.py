"""DamExchange (DXP): games between two programs over a network."""
