"""Models: served ones and recordings, the errors they raise, their retries, their pace, their cache and prices."""
