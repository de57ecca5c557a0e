"""Web Push: notifies players of their turn when they have no page open."""
