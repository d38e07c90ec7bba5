"""The resource `webhooks`: subscriptions to messages over HTTP."""
