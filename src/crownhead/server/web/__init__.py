"""The frame of every page: page decorator, navigation, badges, fragments, shared templates."""
