"""What every command shows and asks with: text, prompts, progress and the moves of a decision."""
