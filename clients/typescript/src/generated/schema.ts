// Written by scripts/generate-client.mjs from docs/openapi.json. Do not edit by hand.

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents of the organisation
         * @description Needs the scope `agents:read`.
         */
        get: operations["agents.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Revoked and expired keys are listed too.
         *
         *     Needs the scope `api_keys:read`.
         */
        get: operations["apiKeys.list"];
        put?: never;
        /**
         * Create API key
         * @description The key is shown once. It can do no more than the key that creates it, from no other network and for no longer.
         *
         *     Needs the scope `api_keys:write`.
         */
        post: operations["apiKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke API key
         * @description It stops working within a second, on every process.
         *
         *     Needs the scope `api_keys:write`.
         */
        delete: operations["apiKeys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate API key
         * @description Issues a successor with the same name, rights, rate limit and idempotency keys. The old key works for `overlap_seconds` more.
         *
         *     Needs the scope `api_keys:write`.
         */
        post: operations["apiKeys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log, newest first
         * @description Who changed webhooks, API keys, campaigns, agents, business phones and the account, and who erased contacts. What the service does by itself is there too: campaigns that start at their time, pause or fail, and webhooks it disables. An entry commits with its change, and names people by their ids only.
         *
         *     Needs the scope `audit:read`.
         */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/business-phones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the business phones of the account, primary first
         * @description Needs the scope `business_phones:read`.
         */
        get: operations["businessPhones.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns, newest first
         * @description Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.list"];
        put?: never;
        /**
         * Create a campaign
         * @description Needs the scope `campaigns:write`.
         */
        post: operations["campaigns.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a campaign
         * @description Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Cancels a draft, scheduled or running campaign permanently. Credits of unsent recipients are refunded.
         *
         *     Needs the scope `campaigns:write`.
         */
        post: operations["campaigns.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a running campaign
         * @description Its status stays `running`, and `paused` becomes true.
         *
         *     Needs the scope `campaigns:write`.
         */
        post: operations["campaigns.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a campaign’s recipients
         * @description In sending order.
         *
         *     Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.listRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/recipients.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a campaign’s recipients as CSV
         * @description Values that a spreadsheet would run as a formula are prefixed with an apostrophe.
         *
         *     Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.exportRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused or failed campaign
         * @description A failed campaign must pass the same checks as when it was sent, and its credits are reserved again.
         *
         *     Needs the scope `campaigns:write`.
         */
        post: operations["campaigns.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry failed recipients
         * @description Runs a completed or failed campaign again for its `retryable` recipients. A failed campaign also continues with the recipients it had not reached. Credits are reserved for all of them.
         *
         *     Needs the scope `campaigns:write`.
         */
        post: operations["campaigns.retryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a draft campaign
         * @description Needs the scope `campaigns:write`.
         */
        post: operations["campaigns.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a campaign’s statistics
         * @description Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description `search` matches name, phone or email by substring.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["contacts.list"];
        put?: never;
        /**
         * Create contact
         * @description Restores the deleted contact that has this number, if there is one.
         *
         *     Needs the scope `contacts:write`.
         */
        post: operations["contacts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts as CSV
         * @description The file can be imported again. Text that a spreadsheet would run as a formula gets a leading apostrophe; an import removes it.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["contacts.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts from CSV
         * @description Columns are the contact’s field names; line 1 is the header. An empty cell leaves the value unchanged. Invalid rows are reported by line; a malformed file changes nothing. At most 100,000 rows and 64 MiB. Files of one account are imported one at a time; a file that has waited 30 seconds gets 503, and so does the fifth of an account at once. An upload may take ten minutes.
         *
         *     Needs the scope `contacts:write`.
         */
        post: operations["contacts.import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{contact_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get contact
         * @description Needs the scope `contacts:read`.
         */
        get: operations["contacts.get"];
        put?: never;
        post?: never;
        /**
         * Delete contact
         * @description Deactivates the contact and keeps its data. With `erase=true`, its name, number, email, company and the contents of all its messages are hidden immediately and removed from every table within 15 minutes. Counts and opt-outs stay.
         *
         *     Needs the scope `contacts:write`.
         */
        delete: operations["contacts.delete"];
        options?: never;
        head?: never;
        /**
         * Change contact
         * @description Absent fields stay unchanged; null clears an optional field.
         *
         *     Needs the scope `contacts:write`.
         */
        patch: operations["contacts.change"];
        trace?: never;
    };
    "/api/v1/contacts/{contact_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything about one contact
         * @description Returns all rows about the contact as they are stored, including deleted ones and those of merged contacts. The key needs the scopes contacts:read, groups:read, conversations:read, messages:read, campaigns:read, webhooks:read.
         *
         *     Needs the scopes `contacts:read`, `groups:read`, `conversations:read`, `messages:read`, `campaigns:read`, `webhooks:read`.
         */
        get: operations["contacts.exportContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description The most recently active come first.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["conversations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign conversation
         * @description Emits `conversation.assigned`.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["conversations.assign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get assignment state
         * @description Never returns 404: `has_conversation` says whether the conversation exists.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["conversations.assignment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Needs the scope `conversations:read`.
         */
        get: operations["conversations.listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen conversation
         * @description Idempotent. Emits `conversation.reopened`.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["conversations.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve conversation
         * @description Idempotent. Emits `conversation.resolved`.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["conversations.resolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/unassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unassign conversation
         * @description Idempotent. Emits `conversation.unassigned`.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["conversations.unassign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description `search` matches the name by substring.
         *
         *     Needs the scope `groups:read`.
         */
        get: operations["groups.list"];
        put?: never;
        /**
         * Create group
         * @description Needs the scope `groups:write`.
         */
        post: operations["groups.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get group
         * @description Needs the scope `groups:read`.
         */
        get: operations["groups.get"];
        put?: never;
        post?: never;
        /**
         * Delete group
         * @description The contacts are kept.
         *
         *     Needs the scope `groups:write`.
         */
        delete: operations["groups.delete"];
        options?: never;
        head?: never;
        /**
         * Change group
         * @description Absent fields stay unchanged; null clears an optional field.
         *
         *     Needs the scope `groups:write`.
         */
        patch: operations["groups.change"];
        trace?: never;
    };
    "/api/v1/groups/{group_id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the contacts of a group
         * @description The contacts added last come first.
         *
         *     Needs the scope `groups:read`.
         */
        get: operations["groups.listContacts"];
        put?: never;
        /**
         * Add contacts to group
         * @description Contacts already in the group are skipped.
         *
         *     Needs the scope `groups:write`.
         */
        post: operations["groups.addContacts"];
        /**
         * Remove contacts from group
         * @description The contacts themselves are kept.
         *
         *     Needs the scope `groups:write`.
         */
        delete: operations["groups.removeContacts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages, newest first
         * @description Needs the scope `messages:read`.
         */
        get: operations["messages.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a template message
         * @description Needs the scope `messages:write`.
         */
        post: operations["messages.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/send-message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a free-form message inside the 24-hour service window
         * @description Needs the scope `messages:write`.
         */
        post: operations["messages.sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message with its timeline
         * @description Needs the scope `messages:read`.
         */
        get: operations["messages.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates with the latest review decisions
         * @description Needs the scope `templates:read`.
         */
        get: operations["templates.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a template and submit it for review
         * @description Example media are fetched from `media_url` while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
         *
         *     Needs the scope `templates:write`.
         */
        post: operations["templates.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/create-carousel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a carousel template and submit it for review
         * @description Example media are fetched from `media_url` while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
         *
         *     Needs the scope `templates:write`.
         */
        post: operations["templates.createCarousel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a message and list the fields it still needs
         * @description Needs the scope `templates:read`.
         */
        post: operations["templates.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Synchronise templates with the network
         * @description Needs the scope `templates:write`.
         */
        post: operations["templates.sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{template_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template
         * @description Needs the scope `templates:read`.
         */
        get: operations["templates.get"];
        put?: never;
        post?: never;
        /**
         * Delete a template here and on the network
         * @description Needs the scope `templates:write`.
         */
        delete: operations["templates.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, newest first
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.list"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint and its statistics for the last hour
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.get"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint and its pending deliveries
         * @description Needs the scope `webhooks:write`.
         */
        delete: operations["webhooks.delete"];
        options?: never;
        head?: never;
        /**
         * Update, disable or enable a webhook endpoint
         * @description Needs the scope `webhooks:write`.
         */
        patch: operations["webhooks.change"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an endpoint’s deliveries with their attempts, newest first
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends the same bytes with the same `webhook-id` again, with all retries. New attempts are added to the existing ones.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay past events
         * @description Delivers every event from `since` until now again, whether it was delivered or not, oldest first and with its original `webhook-id`. The replay runs in the background alongside new events; `GET /api/v1/webhooks/{webhook_id}` shows its progress. An endpoint has one replay at a time. While the endpoint is disabled, its replay is paused.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook endpoint’s secret
         * @description From the next attempt on, `X-Webhook-Signature` uses the new secret. For 24 hours, `webhook-signature` has a signature with each secret, the new and the previous one, unless the secret is replaced again.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Sends `{"event": "webhook.test", "timestamp": …}` like any other event: signed, retried and listed among the deliveries. It goes only to this endpoint, whatever it is subscribed to.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be answered */
        get: operations["health.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "message.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The network accepted a message */
        post: operations["events.messageSentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A message reached the phone */
        post: operations["events.messageDeliveredEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The contact read a message */
        post: operations["events.messageReadEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A message failed */
        post: operations["events.messageFailedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "button.clicked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The contact tapped a button of a message */
        post: operations["events.buttonClickedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The contact wrote */
        post: operations["events.messageReceivedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The contact answered one of your messages */
        post: operations["events.messageReplyEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An agent was given a conversation */
        post: operations["events.conversationAssignedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.unassigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conversation has no agent any more */
        post: operations["events.conversationUnassignedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conversation was resolved */
        post: operations["events.conversationResolvedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A resolved conversation was opened again */
        post: operations["events.conversationReopenedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test event was asked for */
        post: operations["events.webhookTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AgentListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            agents: components["schemas"]["AgentRecord"][];
        };
        AgentRecord: {
            /**
             * @description Identifies the agent when assigning conversations
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            user_id: string;
            /** @example Ben Agent */
            full_name: string;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "manager" | "agent";
            /** @enum {string} */
            status: "active" | "deactivated";
        };
        ApiKeyRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example Shop backend */
            name: string;
            /**
             * @description How the key begins
             * @example pk_live_4uXw0bVqRz1T
             */
            prefix: string;
            /**
             * @example [
             *       "contacts:read"
             *     ]
             */
            scopes: string[];
            /**
             * @description Requests in any 60 seconds
             * @example 100
             */
            rate_limit: number;
            /**
             * @description Where it may be used from; null: anywhere
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowed_networks: string[] | null;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked, or when a rotated key stops working
             * @example 2026-01-31T09:30:00.000Z
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Exact to a few seconds
             * @example 2026-01-31T09:30:00.000Z
             */
            last_used_at: string | null;
        };
        ApiKeysResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            api_keys: components["schemas"]["ApiKeyRecord"][];
        };
        AssignConversationRequest: {
            /**
             * Format: uuid
             * @description Default: the contact’s most recently active conversation, or else the primary phone’s
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /**
             * Format: uuid
             * @description Agent from List agents; must be an active member of the organisation
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            user_id: string;
            /**
             * @description Recorded on reassignment
             * @example Asked for the invoice again
             */
            note?: string | null;
        };
        AssignmentRecord: {
            /**
             * @description Contact phone, digits; null for people who hide it
             * @example 4915123456789
             */
            phone_number: string | null;
            /**
             * @description The network’s user id of the contact; only if there is no number. Null if the contact was erased
             * @example US.13491208655302741918
             */
            user_id?: string | null;
            /**
             * @description Business phone of the conversation
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
            /** @enum {string|null} */
            status: "open" | "resolved" | null;
            /**
             * @description `user_id` of the agent
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            assigned_to: string | null;
            /** @example Ben Agent */
            assigned_to_name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            assigned_at: string | null;
            /** @example false */
            is_reassignment: boolean | null;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            previous_assignee_id: string | null;
            /** @example Ada Agent */
            previous_assignee_name: string | null;
            /** @example Asked for the invoice again */
            note: string | null;
            /**
             * @description True if the agent already had the conversation and nothing changed
             * @example false
             */
            no_op: boolean | null;
        };
        AssignmentStateRecord: {
            /**
             * @description Contact phone, digits; null for people who hide it
             * @example 4915123456789
             */
            phone_number: string | null;
            /**
             * @description The network’s user id of the contact; only if there is no number. Null if the contact was erased
             * @example US.13491208655302741918
             */
            user_id?: string | null;
            /**
             * @description Null only if the account has no business phone
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string | null;
            /** @example true */
            has_conversation: boolean;
            /** @enum {string|null} */
            status: "open" | "resolved" | null;
            /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
            assigned_to: string | null;
            /** @example Ben Agent */
            assigned_to_name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            assigned_at: string | null;
        };
        AssignmentStateResponse: {
            /** @enum {string} */
            status: "success";
            data: components["schemas"]["AssignmentStateRecord"];
        };
        AttemptRecord: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description Null when there was no response
             * @example 503
             */
            status_code: number | null;
            /** @example 42 */
            duration_ms: number;
            /**
             * @description Null if it succeeded
             * @example the endpoint answered 503
             */
            error: string | null;
            /**
             * @description First 1 KiB of the response body
             * @example Service Unavailable
             */
            response: string | null;
        };
        AuditRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description cli: an operator of the service; system: the service itself
             * @enum {string}
             */
            actor: "api_key" | "cli" | "system";
            /**
             * Format: uuid
             * @description Null unless the actor is an API key
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            api_key_id: string | null;
            /**
             * @description The name that the API key had at the time
             * @example Shop backend
             */
            api_key_name: string | null;
            /** @enum {string} */
            action: "account.created" | "account.suspended" | "account.activated" | "account.contacts_erased" | "account.credited" | "agent.created" | "agent.deactivated" | "api_key.created" | "api_key.rotated" | "api_key.reissued" | "api_key.revoked" | "business_phone.created" | "business_phone.changed" | "campaign.sent" | "campaign.paused" | "campaign.resumed" | "campaign.cancelled" | "campaign.failed" | "campaign.retried" | "contact.erased" | "organisation.changed" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.replayed";
            /** @enum {string} */
            subject_type: "account" | "agent" | "api_key" | "business_phone" | "campaign" | "contact" | "organisation" | "webhook";
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            subject_id: string;
            /**
             * @description What changed, without secrets and personal data
             * @example {
             *       "retry_count": 5,
             *       "secret": "replaced"
             *     }
             */
            changes: {
                [key: string]: unknown;
            };
            /**
             * @description The `X-Request-Id` of the answer; null unless the actor is an API key
             * @example 4f8f2f9a-6c3a-4d0e-9f43-1f1f6f5c2a10
             */
            request_id: string | null;
            /**
             * @description The IP address of the caller
             * @example 192.0.2.7
             */
            address: string | null;
        };
        AuditResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            audit_entries: components["schemas"]["AuditRecord"][];
        };
        /**
         * @description The request is malformed; the message names the field, limit and value
         * @example {
         *       "error": "bad_request",
         *       "message": "A field is missing, mistyped or too long, or the state of a record forbids the action."
         *     }
         */
        BadRequestError: {
            /**
             * @description - `bad_request`: A field is missing, mistyped or too long, or the state of a record forbids the action.
             *     - `network_rejected`: The messaging network refused the message; `message` says why.
             *     - `contact_opted_out`: A MARKETING template was sent to a contact who has opted out.
             * @enum {string}
             */
            error: "bad_request" | "network_rejected" | "contact_opted_out";
            /**
             * @description For people: names the field, the limit and the value found
             * @example limit must be at most 100 (got 500)
             */
            message: string;
        };
        BusinessPhoneListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            business_phones: components["schemas"]["BusinessPhoneRecord"][];
        };
        BusinessPhoneRecord: {
            /**
             * @description The record id, which identifies the phone in the API
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
            /**
             * @description The network id of the phone
             * @example 106540352242922
             */
            phone_number_id: string;
            /**
             * @description The network id of its business account
             * @example 102290129340398
             */
            waba_id: string;
            /**
             * @description The number, digits with the country code first
             * @example 4915123456789
             */
            phone: string;
            /**
             * @description Messages per second, 0 = no limit
             * @example 80
             */
            throughput: number;
            /**
             * @description True for exactly one phone: the flagged one, or else the oldest
             * @example true
             */
            is_primary: boolean;
            /**
             * @description The network rating
             * @enum {string|null}
             */
            quality: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | null;
            /**
             * @description How many people all phones of the business portfolio together may message in 24 hours outside open service windows; -1 = unlimited, null = not known yet
             * @example 1000
             */
            messaging_limit: number | null;
        };
        ButtonClickedEvent: {
            /** @enum {string} */
            event: "button.clicked";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description Null for a message that belongs to no campaign
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            message: {
                /**
                 * Format: uuid
                 * @description The message whose button was tapped
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
            };
            button: {
                /** @example yes */
                id: string;
                /** @example Yes */
                text: string;
                /** @enum {string} */
                type: "quick_reply";
            };
        };
        ButtonParamField: {
            /**
             * @description Position of the button in the template, from 0
             * @example 0
             */
            index: number;
            /**
             * @description Required for a URL button with {{1}}
             * @example 4711
             */
            url_param?: string | null;
            /**
             * @description For a quick reply; default: its text
             * @example yes
             */
            payload?: string | null;
            /**
             * @description For COPY_CODE; default: the template’s code
             * @example SPRING20
             */
            coupon_code?: string | null;
        };
        CampaignActionResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Campaign paused */
            message: string;
            campaign: components["schemas"]["CampaignRecord"];
        };
        CampaignContact: {
            /**
             * @description Values of the body variables; each overrides the campaign’s value
             * @example {
             *       "1": {
             *         "contact_field": "first_name",
             *         "fallback": "there"
             *       },
             *       "2": "4711"
             *     }
             */
            body_data?: {
                [key: string]: string | {
                    /** @enum {string} */
                    contact_field: "first_name" | "last_name" | "email" | "company" | "phone_number";
                    /**
                     * @description Used when the field is empty
                     * @example there
                     */
                    fallback?: string | null;
                };
            } | null;
            /**
             * @description Value of the variable in a TEXT header; overrides the campaign’s value
             * @example {
             *       "text": "Ada"
             *     }
             */
            header_data?: {
                [key: string]: string;
            } | null;
            /** @description Each overrides the campaign’s parameters of the same button */
            button_params?: components["schemas"]["ButtonParamField"][] | null;
            /**
             * @description Replaces the campaign’s media URL; fetched when this recipient is sent to
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * @description In any common format; it is normalised
             * @example +49 151 23456789
             */
            phone: string;
            /**
             * @description Name for the contact if it has none yet
             * @example Ada Lorenzen
             */
            name?: string | null;
        };
        CampaignListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            campaigns: components["schemas"]["CampaignRecord"][];
        };
        CampaignRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string;
            /** @example Spring offer */
            name: string;
            /** @enum {string} */
            campaign_status: "draft" | "scheduled" | "running" | "completed" | "cancelled" | "failed";
            /** @example 1000 */
            total_contacts: number;
            /**
             * @description Accepted by the network
             * @example 990
             */
            sent_count: number;
            /**
             * @description Delivered to the recipient’s device
             * @example 960
             */
            delivered_count: number;
            /** @example 410 */
            read_count: number;
            /**
             * @description Recipients who tapped a button
             * @example 85
             */
            clicked_count: number;
            /**
             * @description Recipients whose message failed at any stage
             * @example 10
             */
            failed_count: number;
            /**
             * @description Recipients who replied
             * @example 32
             */
            replied_count: number;
            /**
             * @description `total_contacts` minus `failed_count`
             * @example 990
             */
            success_count: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            started_at: string | null;
            /**
             * @description When every recipient had been attempted; null unless completed
             * @example 2026-01-31T09:30:00.000Z
             */
            completed_at: string | null;
            /** @example Everybody who asked for news */
            description: string | null;
            /** @example order_update */
            template_name: string;
            /** @example en_US */
            template_language: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
            /**
             * @example {
             *       "1": {
             *         "contact_field": "first_name",
             *         "fallback": "there"
             *       },
             *       "2": "4711"
             *     }
             */
            body_data: {
                [key: string]: string | {
                    /** @enum {string} */
                    contact_field: "first_name" | "last_name" | "email" | "company" | "phone_number";
                    /**
                     * @description Used when the field is empty
                     * @example there
                     */
                    fallback?: string | null;
                };
            };
            /**
             * @example {
             *       "text": "Ada"
             *     }
             */
            header_data: {
                [key: string]: string;
            };
            /** @example https://example.com/spring.jpg */
            media_url: string | null;
            /** @example invoice.pdf */
            filename: string | null;
            location: components["schemas"]["LocationField"] | null;
            button_params: components["schemas"]["ButtonParamField"][];
            carousel_data: components["schemas"]["CarouselEntryField"][] | null;
            /**
             * @description Epoch milliseconds
             * @example 1772355600000
             */
            expiration_time_ms: number | null;
            /** @example Europe/Berlin */
            scheduled_timezone: string | null;
            /** @description Hours of the day when the campaign may send */
            send_window: components["schemas"]["SendWindowField"] | null;
            /**
             * Format: date-time
             * @description Recipients not sent to by then are cancelled
             * @example 2026-01-31T09:30:00.000Z
             */
            send_before: string | null;
            /** @example 20 */
            max_failure_percent: number | null;
            /**
             * @description When the next recipient waiting for the send window or the messaging limit may be sent to; null if none waits
             * @example 2026-01-31T09:30:00.000Z
             */
            waiting_until: string | null;
            /**
             * @description Whether the campaign is running but paused
             * @example false
             */
            paused: boolean;
            /**
             * @description Why the campaign stopped, and what to do
             * @example the template was paused by the network; resume the campaign when it is active again
             */
            failure_reason: string | null;
        };
        CampaignResponse: {
            /** @enum {string} */
            status: "success";
            campaign: components["schemas"]["CampaignRecord"];
        };
        CampaignStatsResponse: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string;
            /** @example Spring offer */
            name: string;
            /** @enum {string} */
            campaign_status: "draft" | "scheduled" | "running" | "completed" | "cancelled" | "failed";
            /** @example 1000 */
            total_contacts: number;
            /**
             * @description Accepted by the network
             * @example 990
             */
            sent_count: number;
            /**
             * @description Delivered to the recipient’s device
             * @example 960
             */
            delivered_count: number;
            /** @example 410 */
            read_count: number;
            /**
             * @description Recipients who tapped a button
             * @example 85
             */
            clicked_count: number;
            /**
             * @description Recipients whose message failed at any stage
             * @example 10
             */
            failed_count: number;
            /**
             * @description Recipients who replied
             * @example 32
             */
            replied_count: number;
            /**
             * @description `total_contacts` minus `failed_count`
             * @example 990
             */
            success_count: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            started_at: string | null;
            /**
             * @description When every recipient had been attempted; null unless completed
             * @example 2026-01-31T09:30:00.000Z
             */
            completed_at: string | null;
            /** @enum {string} */
            status: "success";
        };
        CarouselCardField: {
            /** @enum {string} */
            header_format: "IMAGE" | "VIDEO";
            /** @example https://example.com/spring.jpg */
            media_url: string;
            /** @example Hello {{1}}, your order is on its way. */
            body_text?: string;
            buttons: components["schemas"]["TemplateButtonField"][];
        };
        CarouselCardRecord: {
            /** @enum {string} */
            header_format: "IMAGE" | "VIDEO";
            /** @example https://example.com/spring.jpg */
            media_url: string | null;
            /** @example Hello {{1}}, your order is on its way. */
            body_text: string | null;
            buttons: components["schemas"]["TemplateButtonRecord"][];
        };
        CarouselEntryField: {
            /**
             * @description Publicly accessible URL
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * @description One per URL button with {{1}}
             * @example [
             *       "4711"
             *     ]
             */
            url_button_params?: string[] | null;
            /**
             * @description One per quick reply; default: its text
             * @example [
             *       "yes"
             *     ]
             */
            button_payloads?: string[] | null;
        };
        /**
         * @description A request with the same Idempotency-Key is still in progress
         * @example {
         *       "error": "conflict",
         *       "message": "A record with the same unique value exists, or the same request is still in progress."
         *     }
         */
        ConflictError: {
            /**
             * @description - `conflict`: A record with the same unique value exists, or the same request is still in progress.
             * @enum {string}
             */
            error: "conflict";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the phone number belongs to another contact
             */
            message: string;
        };
        ContactDeletedResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Contact deleted */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            contact_id: string;
        };
        ContactExportResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description All columns of the contact
             * @example {
             *       "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
             *       "phone_number": "4915123456789",
             *       "first_name": "Ada"
             *     }
             */
            contact: {
                [key: string]: unknown;
            };
            /**
             * @description Contacts that were merged into this one
             * @example []
             */
            merged_contacts: {
                [key: string]: unknown;
            }[];
            /**
             * @description Groups of the contact, and since when it has been in them
             * @example [
             *       {
             *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
             *         "name": "Newsletter",
             *         "member_since": "2026-01-31T09:30:00.000Z"
             *       }
             *     ]
             */
            groups: {
                [key: string]: unknown;
            }[];
            /**
             * @description Conversations, with their previews
             * @example [
             *       {
             *         "business_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
             *         "last_message_preview": "Are you open today?"
             *       }
             *     ]
             */
            conversations: {
                [key: string]: unknown;
            }[];
            /**
             * @description Who the conversations were assigned to, with notes
             * @example []
             */
            assignments: {
                [key: string]: unknown;
            }[];
            /**
             * @description Inbound and outbound messages, with the network’s payload
             * @example [
             *       {
             *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
             *         "direction": "in",
             *         "content": "Are you open today?"
             *       }
             *     ]
             */
            messages: {
                [key: string]: unknown;
            }[];
            /**
             * @description Campaigns with this contact as a recipient, and its personal template values
             * @example []
             */
            recipients: {
                [key: string]: unknown;
            }[];
            /**
             * @description Events about the contact, with the body sent to webhooks
             * @example []
             */
            events: {
                [key: string]: unknown;
            }[];
            /**
             * @description Deliveries of those events, each with its attempts and the receiver’s responses
             * @example []
             */
            deliveries: {
                [key: string]: unknown;
            }[];
            /**
             * @description Network callbacks that name the contact and were not handled, or are parked until their message is known
             * @example []
             */
            callbacks: {
                [key: string]: unknown;
            }[];
            /**
             * @description Stored responses to requests with an Idempotency-Key that name the contact
             * @example []
             */
            stored_answers: {
                [key: string]: unknown;
            }[];
        };
        ContactRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example Ada */
            first_name: string;
            /** @example Lorenzen */
            last_name: string | null;
            /**
             * @description Digits with the country code, no +; null for people who hide it
             * @example 4915123456789
             */
            phone_number: string | null;
            /**
             * @description The network’s user id of this person, scoped to your business; absent if unknown
             * @example US.13491208655302741918
             */
            user_id?: string;
            /**
             * @description The person’s username on the network, null if they have none; absent without user_id
             * @example ada.lorenzen
             */
            username?: string | null;
            /** @example ada@example.com */
            email: string | null;
            /** @example Analytical Engines */
            company: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /** @example true */
            opted_in: boolean;
            /** @enum {string} */
            source: "api" | "import" | "inbound" | "campaign" | "send";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        ContactResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Contact created */
            message: string;
            contact: components["schemas"]["ContactRecord"];
        };
        ContactsResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            contacts: components["schemas"]["ContactRecord"][];
        };
        ConversationActionResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Conversation assigned */
            message: string;
            data: components["schemas"]["AssignmentRecord"];
        };
        ConversationAssignedEvent: {
            /** @enum {string} */
            event: "conversation.assigned";
            /**
             * Format: date-time
             * @description UTC
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            conversation: {
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id: string;
                /** @enum {string} */
                status: "open" | "resolved";
                /**
                 * @description `user_id` of the agent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                assigned_to: string | null;
                /** @example Ben Agent */
                assigned_to_name: string | null;
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                previous_assignee_id: string | null;
                /** @example Ada Agent */
                previous_assignee_name: string | null;
                /** @example false */
                is_reassignment: boolean;
                /**
                 * @description Of an assignment
                 * @example Asked for the invoice again
                 */
                note: string | null;
                /**
                 * @description Of a resolution
                 * @example Answered by phone
                 */
                reason: string | null;
                actor: {
                    /**
                     * @description `system` for automatic changes
                     * @example system
                     */
                    user_id: string;
                    /** @example system */
                    name: string;
                    /** @enum {string} */
                    source: "manual" | "api" | "auto_inbound" | "auto_reply" | "auto_reopen";
                };
            };
        };
        ConversationChoiceRequest: {
            /**
             * Format: uuid
             * @description Default: the contact’s most recently active conversation, or else the primary phone’s
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
        };
        ConversationRecord: {
            /**
             * @description Contact phone, digits; null for people who hide it
             * @example 4915123456789
             */
            phone_number: string | null;
            /**
             * @description The network’s user id of the contact; only if there is no number. Null if the contact was erased
             * @example US.13491208655302741918
             */
            user_id?: string | null;
            /**
             * @description Business phone of the conversation
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
            /** @enum {string|null} */
            status: "open" | "resolved" | null;
            /**
             * @description `user_id` of the agent
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            assigned_to: string | null;
            /** @example Ben Agent */
            assigned_to_name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            assigned_at: string | null;
            /** @example false */
            is_reassignment: boolean | null;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            previous_assignee_id: string | null;
            /** @example Ada Agent */
            previous_assignee_name: string | null;
            /** @example Asked for the invoice again */
            note: string | null;
            /**
             * @description True if the agent already had the conversation and nothing changed
             * @example false
             */
            no_op: boolean | null;
            /** @example Ada Lorenzen */
            contact_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            last_message_at: string | null;
            /** @example Are you open today? */
            last_message_preview: string | null;
            /**
             * Format: date-time
             * @description When the 24-hour window closes
             * @example 2026-01-31T09:30:00.000Z
             */
            window_expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        ConversationReopenedEvent: {
            /** @enum {string} */
            event: "conversation.reopened";
            /**
             * Format: date-time
             * @description UTC
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            conversation: {
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id: string;
                /** @enum {string} */
                status: "open" | "resolved";
                /**
                 * @description `user_id` of the agent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                assigned_to: string | null;
                /** @example Ben Agent */
                assigned_to_name: string | null;
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                previous_assignee_id: string | null;
                /** @example Ada Agent */
                previous_assignee_name: string | null;
                /** @example false */
                is_reassignment: boolean;
                /**
                 * @description Of an assignment
                 * @example Asked for the invoice again
                 */
                note: string | null;
                /**
                 * @description Of a resolution
                 * @example Answered by phone
                 */
                reason: string | null;
                actor: {
                    /**
                     * @description `system` for automatic changes
                     * @example system
                     */
                    user_id: string;
                    /** @example system */
                    name: string;
                    /** @enum {string} */
                    source: "manual" | "api" | "auto_inbound" | "auto_reply" | "auto_reopen";
                };
            };
        };
        ConversationResolvedEvent: {
            /** @enum {string} */
            event: "conversation.resolved";
            /**
             * Format: date-time
             * @description UTC
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            conversation: {
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id: string;
                /** @enum {string} */
                status: "open" | "resolved";
                /**
                 * @description `user_id` of the agent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                assigned_to: string | null;
                /** @example Ben Agent */
                assigned_to_name: string | null;
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                previous_assignee_id: string | null;
                /** @example Ada Agent */
                previous_assignee_name: string | null;
                /** @example false */
                is_reassignment: boolean;
                /**
                 * @description Of an assignment
                 * @example Asked for the invoice again
                 */
                note: string | null;
                /**
                 * @description Of a resolution
                 * @example Answered by phone
                 */
                reason: string | null;
                actor: {
                    /**
                     * @description `system` for automatic changes
                     * @example system
                     */
                    user_id: string;
                    /** @example system */
                    name: string;
                    /** @enum {string} */
                    source: "manual" | "api" | "auto_inbound" | "auto_reply" | "auto_reopen";
                };
            };
        };
        ConversationUnassignedEvent: {
            /** @enum {string} */
            event: "conversation.unassigned";
            /**
             * Format: date-time
             * @description UTC
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            conversation: {
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id: string;
                /** @enum {string} */
                status: "open" | "resolved";
                /**
                 * @description `user_id` of the agent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                assigned_to: string | null;
                /** @example Ben Agent */
                assigned_to_name: string | null;
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                previous_assignee_id: string | null;
                /** @example Ada Agent */
                previous_assignee_name: string | null;
                /** @example false */
                is_reassignment: boolean;
                /**
                 * @description Of an assignment
                 * @example Asked for the invoice again
                 */
                note: string | null;
                /**
                 * @description Of a resolution
                 * @example Answered by phone
                 */
                reason: string | null;
                actor: {
                    /**
                     * @description `system` for automatic changes
                     * @example system
                     */
                    user_id: string;
                    /** @example system */
                    name: string;
                    /** @enum {string} */
                    source: "manual" | "api" | "auto_inbound" | "auto_reply" | "auto_reopen";
                };
            };
        };
        ConversationsResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            conversations: components["schemas"]["ConversationRecord"][];
        };
        CreateApiKeyRequest: {
            /** @example Order service */
            name: string;
            /**
             * @description What the key may do; `*` is everything, later scopes included. Default: the scopes of the calling key
             * @example [
             *       "contacts:read",
             *       "messages:write"
             *     ]
             */
            scopes?: ("*" | "messages:read" | "messages:write" | "templates:read" | "templates:write" | "campaigns:read" | "campaigns:write" | "contacts:read" | "contacts:write" | "groups:read" | "groups:write" | "agents:read" | "agents:write" | "conversations:read" | "conversations:write" | "webhooks:read" | "webhooks:write" | "api_keys:read" | "api_keys:write" | "audit:read" | "audit:write" | "business_phones:read" | "business_phones:write")[] | null;
            /**
             * @description When the key stops working. Default: as the calling key
             * @example 2031-01-31T09:30:00Z
             */
            expires_at?: string | null;
            /**
             * @description Addresses and CIDRs that the key may be used from. Default: as the calling key
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowed_networks?: string[] | null;
        };
        CreateCampaignRequest: {
            /**
             * @description Value for the variable of a TEXT header
             * @example {
             *       "text": "Ada"
             *     }
             */
            header_data?: {
                [key: string]: string;
            } | null;
            /**
             * @description Required if the header is IMAGE, VIDEO or DOCUMENT
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * @description For documents
             * @example invoice.pdf
             */
            filename?: string | null;
            /** @description Required if the header is LOCATION */
            location?: components["schemas"]["LocationField"] | null;
            button_params?: components["schemas"]["ButtonParamField"][] | null;
            /** @description Required for carousels: one entry per card, in card order */
            carousel_data?: components["schemas"]["CarouselEntryField"][] | null;
            /**
             * @description Required for limited-time offers: epoch milliseconds, in the future
             * @example 1772355600000
             */
            expiration_time_ms?: number | null;
            /** @example Spring offer */
            name: string;
            /** @example Everybody who asked for news */
            description?: string | null;
            /**
             * @description Name of an APPROVED template
             * @example order_update
             */
            template_name: string;
            /**
             * @description Required if the template exists in several languages
             * @example en_US
             */
            template_language?: string | null;
            /**
             * @description Values of the body variables. Required for variables that some entry of `contacts` has no value of its own for
             * @example {
             *       "1": {
             *         "contact_field": "first_name",
             *         "fallback": "there"
             *       },
             *       "2": "4711"
             *     }
             */
            body_data?: {
                [key: string]: string | {
                    /** @enum {string} */
                    contact_field: "first_name" | "last_name" | "email" | "company" | "phone_number";
                    /**
                     * @description Used when the field is empty
                     * @example there
                     */
                    fallback?: string | null;
                };
            } | null;
            /** @description Required unless `group_ids` is given. A campaign has at most 10000 contacts, including those from groups. If several entries have the same number, the first one is used. The request body is limited to 4 MiB, about 400 bytes per entry for 10000 entries */
            contacts?: components["schemas"]["CampaignContact"][];
            /**
             * @description Groups to send to. Members are determined when the campaign is created
             * @example [
             *       "019c1363-49c0-7680-92b3-4d37d5120a7f"
             *     ]
             */
            group_ids?: string[] | null;
            /**
             * Format: uuid
             * @description Default: the template’s business phone, then the account’s first
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /**
             * @description When to send the campaign. Without an offset, it is local time in `scheduled_timezone`
             * @example 2030-01-31T09:30:00
             */
            scheduled_at?: string | null;
            /** @description Hours of the day when the campaign may send */
            send_window?: components["schemas"]["SendWindowField"] | null;
            /**
             * @description Recipients not sent to by then are cancelled. Without an offset, it is local time in `scheduled_timezone`
             * @example 2030-01-31T20:00:00
             */
            send_before?: string | null;
            /**
             * @description The campaign pauses itself when more than this many of the last 100 recipients failed, counting only messages the network accepted or refused
             * @example 20
             */
            max_failure_percent?: number | null;
            /**
             * @description An IANA time zone; default: UTC
             * @example Europe/Berlin
             */
            scheduled_timezone?: string | null;
        };
        CreateCampaignResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Campaign created as draft for 1000 contacts */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string;
            /** @example Spring offer */
            name: string;
            /** @enum {string} */
            status_value: "draft" | "scheduled";
            /**
             * @description Number of recipients after normalising and removing duplicates
             * @example 1000
             */
            total_contacts: number;
            /**
             * @description Phone numbers that were skipped as invalid, as given
             * @example [
             *       "12345"
             *     ]
             */
            invalid_phones: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        CreateCarouselRequest: {
            /** @example spring_carousel */
            name: string;
            /**
             * @default en_US
             * @example en_US
             */
            language?: string;
            /**
             * @description Default: the primary phone
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string;
            body: components["schemas"]["TemplateBodyField"];
            cards: components["schemas"]["CarouselCardField"][];
            /**
             * @description How long the network may try to deliver a message, seconds
             * @example 600
             */
            message_send_ttl_seconds?: number;
        };
        CreateContactRequest: {
            /**
             * @description Digits with the country code, no +
             * @example 491512345678
             */
            phone_number: string;
            /** @example Ada */
            first_name: string;
            /** @example Lorenzen */
            last_name?: string | null;
            /** @example ada@example.com */
            email?: string | null;
            /** @example Analytical Engines */
            company?: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            tags?: string[] | null;
        };
        CreateGroupRequest: {
            /**
             * @description Unique within the account
             * @example Newsletter
             */
            name: string;
            /** @example Everybody who asked for news */
            description?: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Contacts to add immediately
             * @example [
             *       "019c1363-49c0-7680-92b3-4d37d5120a7f"
             *     ]
             */
            contact_ids?: string[] | null;
        };
        CreateTemplateRequest: {
            /** @example order_update */
            name: string;
            /** @enum {string} */
            category: "MARKETING" | "UTILITY" | "AUTHENTICATION";
            /**
             * @default en_US
             * @example en_US
             */
            language?: string;
            /**
             * @description Default: the primary phone
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string;
            header?: components["schemas"]["TemplateHeaderField"];
            /**
             * @description Required for IMAGE, VIDEO and DOCUMENT headers
             * @example https://example.com/spring.jpg
             */
            media_url?: string;
            /** @description Required for MARKETING and UTILITY */
            body?: components["schemas"]["TemplateBodyField"];
            footer?: components["schemas"]["TemplateFooterField"];
            buttons?: components["schemas"]["TemplateButtonField"][];
            /** @description MARKETING only */
            limited_time_offer?: components["schemas"]["LimitedTimeOfferField"];
            /** @example SPRING20 */
            offer_code?: string;
            /**
             * @description AUTHENTICATION only
             * @example true
             */
            add_security_recommendation?: boolean;
            /**
             * @description AUTHENTICATION only
             * @example 10
             */
            code_expiration_minutes?: number;
            /**
             * @description How long the network may try to deliver a message, seconds
             * @example 600
             */
            message_send_ttl_seconds?: number;
        };
        CreateTemplateResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Template created and submitted for review */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            template_id: string;
            /**
             * @description The network’s id
             * @example 1627019861106475
             */
            meta_template_id: string;
            /**
             * @description The network’s initial status, usually PENDING
             * @example PENDING
             */
            meta_status: string;
        };
        CreateWebhookRequest: {
            /**
             * @description A public https URL
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @description Signs deliveries. Write-only
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string | null;
            /**
             * @description Default: all
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            subscribed_events?: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened")[] | null;
            /**
             * @default 3
             * @example 3
             */
            retry_count?: number | null;
            /**
             * @description Seconds
             * @default 5
             * @example 5
             */
            timeout?: number | null;
        };
        DeleteTemplateResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Template deleted */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            template_id: string;
        };
        DeliveriesResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            deliveries: components["schemas"]["DeliveryRecord"][];
        };
        DeliveryActionResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Delivery queued again */
            message: string;
            delivery: components["schemas"]["DeliveryRecord"];
        };
        DeliveryRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @enum {string} */
            event: "message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "webhook.test";
            /**
             * @description The `webhook-id` header, stable per event
             * @example msg_019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            webhook_id: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Oldest first */
            attempts: components["schemas"]["AttemptRecord"][];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        /**
         * @description The other error body, of a few refusals of template creation and of free-form sends
         * @example {
         *       "detail": "name is required"
         *     }
         */
        ErrorDetail: {
            /**
             * @description For people: what is wrong, and where
             * @example name is required
             */
            detail: string;
        };
        /**
         * @description The key lacks the scope, or the account is suspended and read-only
         * @example {
         *       "error": "forbidden",
         *       "message": "The API key lacks the required scope, or the business phone does not belong to the account."
         *     }
         */
        ForbiddenError: {
            /**
             * @description - `forbidden`: The API key lacks the required scope, or the business phone does not belong to the account.
             *     - `account_suspended`: The account is suspended and read-only.
             * @enum {string}
             */
            error: "forbidden" | "account_suspended";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the API key has no scope contacts:write
             */
            message: string;
        };
        GroupDeletedResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Group deleted */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            group_id: string;
        };
        GroupFoundResponse: {
            /** @enum {string} */
            status: "success";
            group: components["schemas"]["GroupRecord"];
        };
        GroupMembersRequest: {
            /**
             * @example [
             *       "019c1363-49c0-7680-92b3-4d37d5120a7f"
             *     ]
             */
            contact_ids: string[];
        };
        GroupMembersResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Contacts added to the group */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            group_id: string;
            /**
             * @description The distinct contacts in the request
             * @example [
             *       "019c1363-49c0-7680-92b3-4d37d5120a7f"
             *     ]
             */
            contact_ids: string[];
        };
        GroupRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example Newsletter */
            name: string;
            /** @example Everybody who asked for news */
            description: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description Number of contacts in the group
             * @example 128
             */
            contact_count: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        GroupResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Group created */
            message: string;
            group: components["schemas"]["GroupRecord"];
        };
        GroupsResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            groups: components["schemas"]["GroupRecord"][];
        };
        ImportResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Contacts imported: 1 created, 0 updated, 0 failed */
            message: string;
            /** @example 1 */
            created: number;
            /**
             * @description Rows for existing contacts, whether or not they changed anything
             * @example 0
             */
            updated: number;
            /** @example 0 */
            failed: number;
            /** @description The first 1,000 of the failed rows, by line */
            errors: components["schemas"]["RowFaultRecord"][];
        };
        /**
         * @description A fault of ours; the X-Request-Id finds it in the logs
         * @example {
         *       "error": "internal_error",
         *       "message": "A bug in Parley; look up the request id in the logs."
         *     }
         */
        InternalErrorError: {
            /**
             * @description - `internal_error`: A bug in Parley; look up the request id in the logs.
             * @enum {string}
             */
            error: "internal_error";
            /**
             * @description For people: names the field, the limit and the value found
             * @example an unexpected error occurred; the X-Request-Id finds it in the logs
             */
            message: string;
        };
        IssuedApiKeyResponse: {
            /** @enum {string} */
            status: "success";
            /** @example API key created */
            message: string;
            api_key: components["schemas"]["ApiKeyRecord"];
            /**
             * @description The key itself. Shown once; store it now
             * @example pk_live_4uXw0bVqRz1T_…
             */
            key: string;
        };
        LimitedTimeOfferField: {
            /** @example Ends soon */
            text: string;
            /**
             * @description Whether the message shows a countdown
             * @default true
             * @example true
             */
            has_expiration?: boolean;
        };
        LimitedTimeOfferRecord: {
            /** @example Ends soon */
            text: string;
            /** @example true */
            has_expiration: boolean;
        };
        LocationField: {
            /** @example 52.520008 */
            latitude: number;
            /** @example 13.404954 */
            longitude: number;
            /** @example Our shop */
            name?: string | null;
            /** @example Alexanderplatz 1, Berlin */
            address?: string | null;
        };
        MessageButtons: {
            /** @enum {string} */
            type: "reply" | "cta_url";
            reply_buttons?: components["schemas"]["ReplyButton"][];
            url_button?: components["schemas"]["UrlButton"];
        };
        MessageDeliveredEvent: {
            /** @enum {string} */
            event: "message.delivered";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description Null for a message that belongs to no campaign
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            message: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /** @enum {string} */
                status: "delivered";
                /**
                 * @description The status before
                 * @example sent
                 */
                previous_status: string;
                /**
                 * @description When the network says it happened; UTC, without an offset
                 * @example 2026-01-31T09:30:00.000
                 */
                status_timestamp: string;
            };
        };
        MessageFailedEvent: {
            /** @enum {string} */
            event: "message.failed";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description Null for a message that belongs to no campaign
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            message: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /** @enum {string} */
                status: "failed";
                /**
                 * @description The status before
                 * @example sent
                 */
                previous_status: string;
                /**
                 * @description When the network says it happened; UTC, without an offset
                 * @example 2026-01-31T09:30:00.000
                 */
                status_timestamp: string;
                /**
                 * @description In plain words
                 * @example The number cannot receive the message: it may not use WhatsApp, or its app is out of date.
                 */
                error_message: string;
                /**
                 * @description From 900001 on Parley’s own, else the network’s
                 * @example 131026
                 */
                error_code: number;
            };
        };
        MessageListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            messages: components["schemas"]["MessageRecord"][];
        };
        MessagePricing: {
            /** @example utility */
            category: string | null;
            /** @example PMP */
            pricing_model: string | null;
            /** @example true */
            billable: boolean | null;
            /** @example regular */
            type: string | null;
        };
        MessageReadEvent: {
            /** @enum {string} */
            event: "message.read";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description Null for a message that belongs to no campaign
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            message: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /** @enum {string} */
                status: "read";
                /**
                 * @description The status before
                 * @example sent
                 */
                previous_status: string;
                /**
                 * @description When the network says it happened; UTC, without an offset
                 * @example 2026-01-31T09:30:00.000
                 */
                status_timestamp: string;
            };
        };
        MessageReceivedEvent: {
            /** @enum {string} */
            event: "message.received";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            message: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /**
                 * @description The text, caption, title or emoji; empty for anything else
                 * @example Are you open today?
                 */
                content: string;
                /**
                 * @description Such as `text`, `image` or `button_reply`; the network may add others
                 * @example text
                 */
                message_type: string;
                /**
                 * @description UTC, without an offset: `2026-01-31T09:30:00.000`
                 * @example 2026-01-31T09:30:00.000
                 */
                timestamp: string;
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id: string;
                /**
                 * @description Whether `message.reply` comes with it
                 * @example false
                 */
                is_reply: boolean;
                /**
                 * @description Whether the contact came from an advertisement
                 * @example false
                 */
                is_from_ad: boolean;
            };
        };
        MessageRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string;
            /** @enum {string} */
            direction: "in" | "out";
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            contact_id: string;
            /**
             * @description Digits; null if the contact hides their number
             * @example 4915123456789
             */
            contact_phone: string | null;
            /**
             * @description The network’s id of the contact; present only if there is no phone number. Null if the contact was erased
             * @example US.13491208655302741918
             */
            contact_user_id?: string | null;
            /** @example Ada Lorenzen */
            contact_name: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
            /** @example text */
            message_type: string;
            /** @example Are you open today? */
            content: string;
            /** @example order_update */
            template_name: string | null;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            /**
             * @description `received` for inbound messages
             * @example delivered
             */
            status: string;
            /**
             * @description The network’s own id
             * @example wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ
             */
            network_message_id: string | null;
            /** @example 131026 */
            error_code: number | null;
            /**
             * @description Human-readable
             * @example The number cannot receive the message: it may not use WhatsApp, or its app is out of date.
             */
            error_message: string | null;
            /** @description What the network charges; null until a status report contains it */
            pricing: components["schemas"]["MessagePricing"] | null;
            timeline: components["schemas"]["TimelineEntry"][];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        MessageReplyEvent: {
            /** @enum {string} */
            event: "message.reply";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description Null for a message that belongs to no campaign
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            original_message: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /**
                 * @description UTC, without an offset: `2026-01-31T09:30:00.000`
                 * @example 2026-01-31T09:30:00.000
                 */
                sent_at: string;
            };
            reply: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /** @example Are you open today? */
                content: string;
                /**
                 * @description Such as `text`, `image` or `button_reply`; the network may add others
                 * @example text
                 */
                message_type: string;
                /**
                 * @description UTC, without an offset: `2026-01-31T09:30:00.000`
                 * @example 2026-01-31T09:30:00.000
                 */
                timestamp: string;
            };
        };
        MessageResponse: {
            /** @enum {string} */
            status: "success";
            message_record: components["schemas"]["MessageRecord"];
        };
        MessageSentEvent: {
            /** @enum {string} */
            event: "message.sent";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description Null for a message that belongs to no campaign
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string | null;
            /** @example Spring offer */
            campaign_name: string | null;
            message: {
                /**
                 * Format: uuid
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                message_id: string;
                /**
                 * @description Digits; null for people who hide their number
                 * @example 4915123456789
                 */
                contact_phone: string | null;
                /**
                 * @description The network’s id of the contact; only where there is no number
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example Ada Lorenzen */
                contact_name: string;
                /** @enum {string} */
                status: "sent";
                /**
                 * @description The status before
                 * @example sent
                 */
                previous_status: string;
                /**
                 * @description When the network says it happened; UTC, without an offset
                 * @example 2026-01-31T09:30:00.000
                 */
                status_timestamp: string;
            };
        };
        /**
         * @description The network’s answer was lost: the message may have been sent
         * @example {
         *       "error": "network_timeout",
         *       "message": "The network’s response was lost: the message may have been sent, and a status report will settle it."
         *     }
         */
        NetworkTimeoutError: {
            /**
             * @description - `network_timeout`: The network’s response was lost: the message may have been sent, and a status report will settle it.
             * @enum {string}
             */
            error: "network_timeout";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the network did not answer: the message may have been sent
             */
            message: string;
        };
        /**
         * @description The account has no such record
         * @example {
         *       "error": "not_found",
         *       "message": "The route does not exist, does not accept the method (`Allow` lists those it does), or this account has no such record."
         *     }
         */
        NotFoundError: {
            /**
             * @description - `not_found`: The route does not exist, does not accept the method (`Allow` lists those it does), or this account has no such record.
             * @enum {string}
             */
            error: "not_found";
            /**
             * @description For people: names the field, the limit and the value found
             * @example no contact 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message: string;
        };
        /**
         * @description The body is larger than the route accepts
         * @example {
         *       "error": "payload_too_large",
         *       "message": "The request body is larger than the route accepts."
         *     }
         */
        PayloadTooLargeError: {
            /**
             * @description - `payload_too_large`: The request body is larger than the route accepts.
             * @enum {string}
             */
            error: "payload_too_large";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the request body must be at most 1048576 bytes
             */
            message: string;
        };
        PreviewButton: {
            /** @example URL */
            type: string;
            /** @example Track your order */
            text: string;
            /** @example https://example.com/webhooks */
            url?: string;
            /** @example 4915123456789 */
            phone_number?: string;
            /** @example SPRING20 */
            coupon_code?: string;
        };
        PreviewRecord: {
            /**
             * @description Text, media URL or location of the header
             * @example Your order
             */
            header: string | null;
            /**
             * @description Variables without a value stay as they are
             * @example Hello {{1}}, your order is on its way.
             */
            body: string;
            /** @example Analytical Engines */
            footer: string | null;
            buttons: components["schemas"]["PreviewButton"][];
            /**
             * @description Fields that a send would still need
             * @example [
             *       "body_data.2"
             *     ]
             */
            missing: string[];
        };
        PreviewTemplateRequest: {
            /**
             * @description Value for the variable of a TEXT header
             * @example {
             *       "text": "Ada"
             *     }
             */
            header_data?: {
                [key: string]: string;
            } | null;
            /**
             * @description Required if the header is IMAGE, VIDEO or DOCUMENT
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * @description For documents
             * @example invoice.pdf
             */
            filename?: string | null;
            /** @description Required if the header is LOCATION */
            location?: components["schemas"]["LocationField"] | null;
            button_params?: components["schemas"]["ButtonParamField"][] | null;
            /** @description Required for carousels: one entry per card, in card order */
            carousel_data?: components["schemas"]["CarouselEntryField"][] | null;
            /**
             * @description Required for limited-time offers: epoch milliseconds, in the future
             * @example 1772355600000
             */
            expiration_time_ms?: number | null;
            /**
             * @description One value per body variable; required if the body has variables
             * @example {
             *       "1": "Ada"
             *     }
             */
            body_data?: {
                [key: string]: string;
            } | null;
            /**
             * @description Case-sensitive
             * @example order_update
             */
            template_name: string;
            /**
             * @description Required if the template exists in several languages
             * @example en_US
             */
            template_language?: string | null;
            /**
             * Format: uuid
             * @description Default: the primary phone
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
        };
        PreviewTemplateResponse: {
            /** @enum {string} */
            status: "success";
            preview: components["schemas"]["PreviewRecord"];
        };
        /**
         * @description The key has used up its requests of the last 60 seconds, or its address failed to authenticate too often
         * @example {
         *       "error": "rate_limited",
         *       "message": "The API key has used up its requests for the last 60 seconds, or too many requests from this IP address failed to authenticate in that time. Retry after `Retry-After` seconds."
         *     }
         */
        RateLimitedError: {
            /**
             * @description - `rate_limited`: The API key has used up its requests for the last 60 seconds, or too many requests from this IP address failed to authenticate in that time. Retry after `Retry-After` seconds.
             * @enum {string}
             */
            error: "rate_limited";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the limit of 100 requests in 60 seconds is reached: try again in 12 seconds
             */
            message: string;
        };
        RecentDeliveriesRecord: {
            /**
             * @description Among the newest 1,000
             * @example 990
             */
            delivered: number;
            /**
             * @description Among the newest 1,000
             * @example 10
             */
            failed: number;
            /**
             * @description Among the newest 1,000
             * @example 3
             */
            pending: number;
            /**
             * @description Delivered as a share of delivered and failed, 0 to 1; null if there are none
             * @example 0.998
             */
            success_rate: number | null;
            /**
             * @description Milliseconds by which the most overdue delivery is late; 0 if none is due
             * @example 12
             */
            lag_ms: number;
        };
        RecipientListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            recipients: components["schemas"]["RecipientRecord"][];
        };
        RecipientRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            contact_id: string;
            /**
             * @description Digits; null for people who hide their number
             * @example 4915123456789
             */
            contact_phone: string | null;
            /**
             * @description The network’s id of the contact; present only if there is no phone number. Null if the contact was erased
             * @example US.13491208655302741918
             */
            contact_user_id?: string | null;
            /** @example Ada Lorenzen */
            contact_name: string;
            /**
             * @description The latest message; null before the first attempt
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string | null;
            /**
             * @description The status of the message, or `cancelled`
             * @enum {string}
             */
            status: "pending" | "accepted" | "sent" | "delivered" | "read" | "clicked" | "failed" | "cancelled";
            /**
             * @description Attempts to send the latest message
             * @example 1
             */
            attempts: number;
            /** @example 131026 */
            error_code: number | null;
            /**
             * @description Why the message failed
             * @example The number cannot receive the message: it may not use WhatsApp, or its app is out of date.
             */
            error_message: string | null;
            /**
             * @description Whether `retry-failed` would send to this recipient again
             * @example true
             */
            retryable: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        ReplayRecord: {
            /** @enum {string} */
            status: "running" | "finished";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            since: string;
            /**
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            events: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened")[];
            /**
             * @description Number of deliveries created so far
             * @example 120
             */
            replayed: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            finished_at: string | null;
        };
        ReplayRequest: {
            /**
             * @description Replays events from this time on. UTC unless it has an offset. It must be within the retention period of events
             * @example 2026-01-31T09:30:00Z
             */
            since: string;
            /**
             * @description Default: the events that the endpoint is subscribed to
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            events?: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened")[] | null;
        };
        ReplayResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Replay started */
            message: string;
            replay: components["schemas"]["ReplayRecord"];
        };
        ReplyButton: {
            /**
             * @description Sent back in the webhook when the button is tapped
             * @example yes
             */
            id: string;
            /**
             * @description Unique in the message
             * @example Yes
             */
            title: string;
        };
        /**
         * @description The body did not arrive in time; the connection is closed
         * @example {
         *       "error": "request_timeout",
         *       "message": "The request body did not arrive in time; the connection is closed."
         *     }
         */
        RequestTimeoutError: {
            /**
             * @description - `request_timeout`: The request body did not arrive in time; the connection is closed.
             * @enum {string}
             */
            error: "request_timeout";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the request body must arrive within 30 seconds
             */
            message: string;
        };
        ResolveConversationRequest: {
            /**
             * Format: uuid
             * @description Default: the contact’s most recently active conversation, or else the primary phone’s
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /**
             * @description Included in the event
             * @example Answered by phone
             */
            reason?: string | null;
        };
        RevokedApiKeyResponse: {
            /** @enum {string} */
            status: "success";
            /** @example API key revoked */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            api_key_id: string;
        };
        RotateApiKeyRequest: {
            /**
             * @description Seconds for which the old key goes on working
             * @default 0
             * @example 3600
             */
            overlap_seconds?: number | null;
        };
        RotateSecretRequest: {
            /**
             * @description Default: a random secret of the form `whsec_…`
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string | null;
        };
        RotateSecretResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Secret rotated */
            message: string;
            webhook: components["schemas"]["WebhookRecord"];
            /**
             * @description The new secret; it is not shown again
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
            /**
             * Format: date-time
             * @description Until then, `webhook-signature` also has a signature with the previous secret; null if there was none
             * @example 2026-01-31T09:30:00.000Z
             */
            previous_secret_until: string | null;
        };
        RowFaultRecord: {
            /**
             * @description Line on which the row starts; the header is line 1
             * @example 17
             */
            line: number;
            /**
             * @description As written in the file
             * @example 4915123456789
             */
            phone_number: string;
            /** @example phone must have 8 to 15 digits (got 12345) */
            error: string;
        };
        SendCampaignResponse: {
            /** @enum {string} */
            status: "accepted";
            /** @example Campaign queued for sending */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string;
            /**
             * @description Id of the background task, for tracing
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            task_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        SendFreeFormRequest: {
            /**
             * @description Digits with the country code first, no +; required without contact_user_id
             * @example 4915123456789
             */
            contact_phone?: string | null;
            /**
             * @description Instead of contact_phone: the network’s id of a contact who may hide their number
             * @example US.13491208655302741918
             */
            contact_user_id?: string | null;
            /**
             * @description Used if the contact has no name yet
             * @example Ada Lorenzen
             */
            contact_name?: string | null;
            /** @enum {string} */
            message_type: "text" | "image" | "video" | "audio" | "document";
            /**
             * @description Required for text; at most 1,024 characters with buttons
             * @example Yes, until six.
             */
            message?: string;
            /**
             * @description Required for media: a publicly accessible URL
             * @example https://example.com/spring.jpg
             */
            media_url?: string;
            /**
             * @description Image, video and document only
             * @example Our spring collection
             */
            caption?: string;
            /**
             * @description Document only
             * @example invoice.pdf
             */
            filename?: string;
            /**
             * Format: uuid
             * @description Default: the account’s primary number
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /** @description Text only */
            buttons?: components["schemas"]["MessageButtons"];
        };
        SendFreeFormResponse: {
            /** @enum {string} */
            status: "success";
            /** @example The network accepted the message */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            contact_id: string;
            /** @enum {string} */
            message_type: "text" | "image" | "video" | "audio" | "document";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        SendTemplateRequest: {
            /**
             * @description Value for the variable of a TEXT header
             * @example {
             *       "text": "Ada"
             *     }
             */
            header_data?: {
                [key: string]: string;
            } | null;
            /**
             * @description Required if the header is IMAGE, VIDEO or DOCUMENT
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * @description For documents
             * @example invoice.pdf
             */
            filename?: string | null;
            /** @description Required if the header is LOCATION */
            location?: components["schemas"]["LocationField"] | null;
            button_params?: components["schemas"]["ButtonParamField"][] | null;
            /** @description Required for carousels: one entry per card, in card order */
            carousel_data?: components["schemas"]["CarouselEntryField"][] | null;
            /**
             * @description Required for limited-time offers: epoch milliseconds, in the future
             * @example 1772355600000
             */
            expiration_time_ms?: number | null;
            /**
             * @description One value per body variable; required if the body has variables
             * @example {
             *       "1": "Ada"
             *     }
             */
            body_data?: {
                [key: string]: string;
            } | null;
            /**
             * @description Case-sensitive
             * @example order_update
             */
            template_name: string;
            /**
             * @description Required if the template exists in several languages
             * @example en_US
             */
            template_language?: string | null;
            /**
             * @description Digits with the country code first, no +; required without contact_user_id
             * @example 4915123456789
             */
            contact_phone?: string | null;
            /**
             * @description Instead of contact_phone: the network’s id of a contact who may hide their number
             * @example US.13491208655302741918
             */
            contact_user_id?: string | null;
            /**
             * @description Used if the contact has no name yet; default: `User #` and six digits
             * @example Ada Lorenzen
             */
            contact_name?: string | null;
            /**
             * Format: uuid
             * @description Default: the account’s primary number
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
        };
        SendTemplateResponse: {
            /** @enum {string} */
            status: "success";
            /** @example The network accepted the message */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            contact_id: string;
            /** @example order_update */
            template_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        SendWindowField: {
            /** @example 09:00 */
            from: string;
            /**
             * @description Exclusive. If earlier than `from`, it is on the next day
             * @example 20:00
             */
            to: string;
            /**
             * @description An IANA time zone, or `recipient` for the time zones of each recipient’s phone number. If a number may be in several zones, the window must be open in all of them. Default: `scheduled_timezone`, else UTC
             * @example Europe/Berlin
             */
            timezone?: string;
        };
        SyncSummaryRecord: {
            /**
             * @description Templates on the network
             * @example 12
             */
            total_meta_templates: number;
            /**
             * @description created + updated + skipped
             * @example 12
             */
            synced: number;
            /** @example 1 */
            created: number;
            /** @example 0 */
            updated: number;
            /**
             * @description Unchanged
             * @example 11
             */
            skipped: number;
            /** @example 0 */
            deleted: number;
        };
        SyncTemplatesResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Names each business account that could not be read, and why
             * @example Templates synchronised
             */
            message: string;
            summary: components["schemas"]["SyncSummaryRecord"];
        };
        TemplateBodyField: {
            /**
             * @description At most 600 characters with a limited-time offer
             * @example Hello {{1}}, your order is on its way.
             */
            text: string;
            /**
             * @description One example value per variable
             * @example {
             *       "1": "Ada"
             *     }
             */
            examples?: {
                [key: string]: string;
            };
        };
        TemplateButtonField: {
            /** @enum {string} */
            type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER" | "COPY_CODE" | "FLOW";
            /** @example Track your order */
            text?: string;
            /**
             * @description For URL; may end with {{1}}
             * @example https://example.com/webhooks
             */
            url?: string;
            /** @example https://example.com/orders/4711 */
            url_example?: string;
            /**
             * @description For PHONE_NUMBER
             * @example 4915123456789
             */
            phone_number?: string;
            /**
             * @description For COPY_CODE, unless offer_code is set
             * @example SPRING20
             */
            copy_code_example?: string;
            /**
             * @description For FLOW
             * @example 1234567890123456
             */
            flow_id?: string;
            /**
             * @default navigate
             * @enum {string}
             */
            flow_action?: "navigate" | "data_exchange";
            /** @example WELCOME */
            navigate_screen?: string;
        };
        TemplateButtonRecord: {
            /** @example QUICK_REPLY */
            type: string;
            /** @example Track your order */
            text?: string;
            /** @example https://example.com/webhooks */
            url?: string;
            /** @example https://example.com/orders/4711 */
            url_example?: string;
            /** @example 4915123456789 */
            phone_number?: string;
            /** @example SPRING20 */
            copy_code_example?: string;
            /** @example 1234567890123456 */
            flow_id?: string;
            /** @example navigate */
            flow_action?: string;
            /** @example WELCOME */
            navigate_screen?: string;
        };
        TemplateFooterField: {
            /**
             * @description No variables
             * @example Analytical Engines
             */
            text: string;
        };
        TemplateHeaderField: {
            /** @enum {string} */
            format: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION";
            /**
             * @description Required for TEXT; at most one variable
             * @example Your order
             */
            text?: string;
            /**
             * @description One example value per header variable
             * @example {
             *       "1": "Ada"
             *     }
             */
            text_example?: {
                [key: string]: string;
            };
        };
        TemplateListResponse: {
            /** @enum {string} */
            status: "success";
            templates: components["schemas"]["TemplateRecord"][];
            /**
             * @description Matching templates on all pages
             * @example 1
             */
            total: number;
        };
        TemplateRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example order_update */
            name: string;
            /** @enum {string} */
            category: "MARKETING" | "UTILITY" | "AUTHENTICATION";
            /** @example en_US */
            language: string;
            /** @enum {string} */
            status: "APPROVED" | "PENDING" | "REJECTED";
            /**
             * @description The network’s own status
             * @example APPROVED
             */
            network_status: string;
            /** @example INVALID_FORMAT */
            rejection_reason: string | null;
            /** @enum {string} */
            header_format: "NONE" | "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION";
            /** @example Hello {{1}}, your order is on its way. */
            body: string;
            /** @example Analytical Engines */
            footer: string | null;
            buttons: components["schemas"]["TemplateButtonRecord"][];
            /**
             * @description Whether sends need a media_url
             * @example false
             */
            requires_media: boolean;
            /** @example 1 */
            variable_count: number;
            /** @enum {string} */
            parameter_format: "POSITIONAL" | "NAMED";
            /**
             * @description Whether sends need carousel_data
             * @example false
             */
            is_carousel: boolean;
            carousel_cards: components["schemas"]["CarouselCardRecord"][] | null;
            limited_time_offer: components["schemas"]["LimitedTimeOfferRecord"] | null;
            /** @example SPRING20 */
            offer_code: string | null;
            /**
             * @description As the network returns them
             * @example [
             *       {
             *         "type": "BODY",
             *         "text": "Hello {{1}}, your order is on its way."
             *       }
             *     ]
             */
            components: {
                [key: string]: unknown;
            }[];
            /** @example 1627019861106475 */
            meta_template_id: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        TemplateResponse: {
            /** @enum {string} */
            status: "success";
            template: components["schemas"]["TemplateRecord"];
        };
        TimelineEntry: {
            /** @example delivered */
            status: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        /**
         * @description The API key is missing, malformed, unknown, expired or revoked
         * @example {
         *       "error": "unauthorized",
         *       "message": "The API key is missing, malformed, unknown, expired or revoked."
         *     }
         */
        UnauthorizedError: {
            /**
             * @description - `unauthorized`: The API key is missing, malformed, unknown, expired or revoked.
             * @enum {string}
             */
            error: "unauthorized";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the API key is unknown, expired or revoked
             */
            message: string;
        };
        /**
         * @description Something that the request needs is not available; nothing was changed
         * @example {
         *       "error": "network_unavailable",
         *       "message": "The messaging network could not be reached; the message was not sent."
         *     }
         */
        UnavailableError: {
            /**
             * @description - `network_unavailable`: The messaging network could not be reached; the message was not sent.
             *     - `unavailable`: The database, or something else that the request needs, was not available in time; nothing was sent. Retry after `Retry-After` seconds.
             * @enum {string}
             */
            error: "network_unavailable" | "unavailable";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the database is unreachable: try again in a few seconds
             */
            message: string;
        };
        /**
         * @description The Idempotency-Key was used with another body
         * @example {
         *       "error": "unprocessable_entity",
         *       "message": "The fields are well-formed, but their values or their combination break a rule."
         *     }
         */
        UnprocessableEntityError: {
            /**
             * @description - `unprocessable_entity`: The fields are well-formed, but their values or their combination break a rule.
             * @enum {string}
             */
            error: "unprocessable_entity";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the Idempotency-Key was used with another body
             */
            message: string;
        };
        /**
         * @description The body has a content type that the route does not accept
         * @example {
         *       "error": "unsupported_media_type",
         *       "message": "The route does not accept the content type of the request body."
         *     }
         */
        UnsupportedMediaTypeError: {
            /**
             * @description - `unsupported_media_type`: The route does not accept the content type of the request body.
             * @enum {string}
             */
            error: "unsupported_media_type";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the body must be sent as application/json (got text/plain)
             */
            message: string;
        };
        UpdateContactRequest: {
            /**
             * @description Digits with the country code, no +
             * @example 4915123456789
             */
            phone_number?: string;
            /** @example Ada */
            first_name?: string;
            /** @example Lorenzen */
            last_name?: string | null;
            /** @example ada@example.com */
            email?: string | null;
            /** @example Analytical Engines */
            company?: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Whether the contact may be sent MARKETING templates
             * @example true
             */
            opted_in?: boolean;
        };
        UpdateGroupRequest: {
            /** @example Newsletter */
            name?: string;
            /** @example Everybody who asked for news */
            description?: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            tags?: string[] | null;
        };
        UpdateWebhookRequest: {
            /**
             * @description A public https URL
             * @example https://example.com/webhooks
             */
            url?: string | null;
            /**
             * @description Replaces the secret immediately, without the overlap of a rotation. Null: deliveries are not signed
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string | null;
            /**
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            subscribed_events?: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened")[] | null;
            /** @example 3 */
            retry_count?: number | null;
            /**
             * @description Seconds
             * @example 5
             */
            timeout?: number | null;
            /**
             * @description While an endpoint is disabled, its deliveries stay pending
             * @enum {string|null}
             */
            status?: "active" | "disabled" | null;
        };
        UrlButton: {
            /** @example Track your order */
            display_text: string;
            /**
             * @description Starts with http:// or https://
             * @example https://example.com/webhooks
             */
            url: string;
        };
        WebhookActionResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Webhook created */
            message: string;
            webhook: components["schemas"]["WebhookRecord"];
        };
        WebhookDeletedResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Webhook deleted */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            webhook_id: string;
        };
        WebhookRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example https://example.com/webhooks */
            url: string;
            /**
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            subscribed_events: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened")[];
            /** @example 3 */
            retry_count: number;
            /**
             * @description Seconds
             * @example 5
             */
            timeout: number;
            /** @enum {string} */
            status: "active" | "disabled";
            /** @example the endpoint answered 410 */
            disabled_reason: string | null;
            /** @example true */
            has_secret: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        WebhookResponse: {
            /** @enum {string} */
            status: "success";
            webhook: components["schemas"]["WebhookRecord"];
            last_hour: components["schemas"]["RecentDeliveriesRecord"];
            /** @description The latest replay; null if there was none */
            replay: components["schemas"]["ReplayRecord"] | null;
        };
        WebhookTestEvent: {
            /** @enum {string} */
            event: "webhook.test";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
        };
        WebhooksResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            webhooks: components["schemas"]["WebhookRecord"][];
        };
    };
    responses: {
        /** @description The request is malformed; the message names the field, limit and value */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestError"];
            };
        };
        /** @description The key lacks the scope, or the account is suspended and read-only */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** @description A fault of ours; the X-Request-Id finds it in the logs */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorError"];
            };
        };
        /** @description The account has no such record */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description The body is larger than the route accepts */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description The request is malformed; the message names the field, limit and value */
        PublicBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestError"];
            };
        };
        /** @description A fault of ours; the X-Request-Id finds it in the logs */
        PublicInternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorError"];
            };
        };
        /** @description The body is larger than the route accepts */
        PublicPayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description The body did not arrive in time; the connection is closed */
        PublicRequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeoutError"];
            };
        };
        /** @description The key has used up its requests of the last 60 seconds, or its address failed to authenticate too often */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description The body did not arrive in time; the connection is closed */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeoutError"];
            };
        };
        /** @description The request is malformed; the message names the field, limit and value */
        StoredBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestError"];
            };
        };
        /** @description A request with the same Idempotency-Key is still in progress */
        StoredConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"];
            };
        };
        /** @description The key lacks the scope, or the account is suspended and read-only */
        StoredForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** @description The account has no such record */
        StoredNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description Something that the request needs is not available; nothing was changed */
        StoredUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
        /** @description The Idempotency-Key was used with another body */
        StoredUnprocessableEntity: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnprocessableEntityError"];
            };
        };
        /** @description The API key is missing, malformed, unknown, expired or revoked */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description Something that the request needs is not available; nothing was changed */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
        /** @description The body has a content type that the route does not accept */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Finds the request in the logs */
        "X-Request-Id": string;
        /** @description Requests that the key has in any 60 seconds */
        "RateLimit-Limit": number;
        /** @description Requests that are left of them */
        "RateLimit-Remaining": number;
        /** @description Seconds until requests are given back */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before trying again */
        "Retry-After": number;
        /** @description Present when the stored answer of an earlier request with the same Idempotency-Key is repeated */
        "Idempotency-Replayed": "true";
        /** @description How to authenticate */
        "WWW-Authenticate": "Bearer";
        /** @description The message that was stored, whether or not it was sent; absent when none was */
        "X-Message-Id": string;
    };
    pathItems: never;
}
export type AgentListResponse = components['schemas']['AgentListResponse'];
export type AgentRecord = components['schemas']['AgentRecord'];
export type ApiKeyRecord = components['schemas']['ApiKeyRecord'];
export type ApiKeysResponse = components['schemas']['ApiKeysResponse'];
export type AssignConversationRequest = components['schemas']['AssignConversationRequest'];
export type AssignmentRecord = components['schemas']['AssignmentRecord'];
export type AssignmentStateRecord = components['schemas']['AssignmentStateRecord'];
export type AssignmentStateResponse = components['schemas']['AssignmentStateResponse'];
export type AttemptRecord = components['schemas']['AttemptRecord'];
export type AuditRecord = components['schemas']['AuditRecord'];
export type AuditResponse = components['schemas']['AuditResponse'];
export type BadRequestError = components['schemas']['BadRequestError'];
export type BusinessPhoneListResponse = components['schemas']['BusinessPhoneListResponse'];
export type BusinessPhoneRecord = components['schemas']['BusinessPhoneRecord'];
export type ButtonClickedEvent = components['schemas']['ButtonClickedEvent'];
export type ButtonParamField = components['schemas']['ButtonParamField'];
export type CampaignActionResponse = components['schemas']['CampaignActionResponse'];
export type CampaignContact = components['schemas']['CampaignContact'];
export type CampaignListResponse = components['schemas']['CampaignListResponse'];
export type CampaignRecord = components['schemas']['CampaignRecord'];
export type CampaignResponse = components['schemas']['CampaignResponse'];
export type CampaignStatsResponse = components['schemas']['CampaignStatsResponse'];
export type CarouselCardField = components['schemas']['CarouselCardField'];
export type CarouselCardRecord = components['schemas']['CarouselCardRecord'];
export type CarouselEntryField = components['schemas']['CarouselEntryField'];
export type ConflictError = components['schemas']['ConflictError'];
export type ContactDeletedResponse = components['schemas']['ContactDeletedResponse'];
export type ContactExportResponse = components['schemas']['ContactExportResponse'];
export type ContactRecord = components['schemas']['ContactRecord'];
export type ContactResponse = components['schemas']['ContactResponse'];
export type ContactsResponse = components['schemas']['ContactsResponse'];
export type ConversationActionResponse = components['schemas']['ConversationActionResponse'];
export type ConversationAssignedEvent = components['schemas']['ConversationAssignedEvent'];
export type ConversationChoiceRequest = components['schemas']['ConversationChoiceRequest'];
export type ConversationRecord = components['schemas']['ConversationRecord'];
export type ConversationReopenedEvent = components['schemas']['ConversationReopenedEvent'];
export type ConversationResolvedEvent = components['schemas']['ConversationResolvedEvent'];
export type ConversationUnassignedEvent = components['schemas']['ConversationUnassignedEvent'];
export type ConversationsResponse = components['schemas']['ConversationsResponse'];
export type CreateApiKeyRequest = components['schemas']['CreateApiKeyRequest'];
export type CreateCampaignRequest = components['schemas']['CreateCampaignRequest'];
export type CreateCampaignResponse = components['schemas']['CreateCampaignResponse'];
export type CreateCarouselRequest = components['schemas']['CreateCarouselRequest'];
export type CreateContactRequest = components['schemas']['CreateContactRequest'];
export type CreateGroupRequest = components['schemas']['CreateGroupRequest'];
export type CreateTemplateRequest = components['schemas']['CreateTemplateRequest'];
export type CreateTemplateResponse = components['schemas']['CreateTemplateResponse'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type DeleteTemplateResponse = components['schemas']['DeleteTemplateResponse'];
export type DeliveriesResponse = components['schemas']['DeliveriesResponse'];
export type DeliveryActionResponse = components['schemas']['DeliveryActionResponse'];
export type DeliveryRecord = components['schemas']['DeliveryRecord'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ForbiddenError = components['schemas']['ForbiddenError'];
export type GroupDeletedResponse = components['schemas']['GroupDeletedResponse'];
export type GroupFoundResponse = components['schemas']['GroupFoundResponse'];
export type GroupMembersRequest = components['schemas']['GroupMembersRequest'];
export type GroupMembersResponse = components['schemas']['GroupMembersResponse'];
export type GroupRecord = components['schemas']['GroupRecord'];
export type GroupResponse = components['schemas']['GroupResponse'];
export type GroupsResponse = components['schemas']['GroupsResponse'];
export type ImportResponse = components['schemas']['ImportResponse'];
export type InternalErrorError = components['schemas']['InternalErrorError'];
export type IssuedApiKeyResponse = components['schemas']['IssuedApiKeyResponse'];
export type LimitedTimeOfferField = components['schemas']['LimitedTimeOfferField'];
export type LimitedTimeOfferRecord = components['schemas']['LimitedTimeOfferRecord'];
export type LocationField = components['schemas']['LocationField'];
export type MessageButtons = components['schemas']['MessageButtons'];
export type MessageDeliveredEvent = components['schemas']['MessageDeliveredEvent'];
export type MessageFailedEvent = components['schemas']['MessageFailedEvent'];
export type MessageListResponse = components['schemas']['MessageListResponse'];
export type MessagePricing = components['schemas']['MessagePricing'];
export type MessageReadEvent = components['schemas']['MessageReadEvent'];
export type MessageReceivedEvent = components['schemas']['MessageReceivedEvent'];
export type MessageRecord = components['schemas']['MessageRecord'];
export type MessageReplyEvent = components['schemas']['MessageReplyEvent'];
export type MessageResponse = components['schemas']['MessageResponse'];
export type MessageSentEvent = components['schemas']['MessageSentEvent'];
export type NetworkTimeoutError = components['schemas']['NetworkTimeoutError'];
export type NotFoundError = components['schemas']['NotFoundError'];
export type PayloadTooLargeError = components['schemas']['PayloadTooLargeError'];
export type PreviewButton = components['schemas']['PreviewButton'];
export type PreviewRecord = components['schemas']['PreviewRecord'];
export type PreviewTemplateRequest = components['schemas']['PreviewTemplateRequest'];
export type PreviewTemplateResponse = components['schemas']['PreviewTemplateResponse'];
export type RateLimitedError = components['schemas']['RateLimitedError'];
export type RecentDeliveriesRecord = components['schemas']['RecentDeliveriesRecord'];
export type RecipientListResponse = components['schemas']['RecipientListResponse'];
export type RecipientRecord = components['schemas']['RecipientRecord'];
export type ReplayRecord = components['schemas']['ReplayRecord'];
export type ReplayRequest = components['schemas']['ReplayRequest'];
export type ReplayResponse = components['schemas']['ReplayResponse'];
export type ReplyButton = components['schemas']['ReplyButton'];
export type RequestTimeoutError = components['schemas']['RequestTimeoutError'];
export type ResolveConversationRequest = components['schemas']['ResolveConversationRequest'];
export type RevokedApiKeyResponse = components['schemas']['RevokedApiKeyResponse'];
export type RotateApiKeyRequest = components['schemas']['RotateApiKeyRequest'];
export type RotateSecretRequest = components['schemas']['RotateSecretRequest'];
export type RotateSecretResponse = components['schemas']['RotateSecretResponse'];
export type RowFaultRecord = components['schemas']['RowFaultRecord'];
export type SendCampaignResponse = components['schemas']['SendCampaignResponse'];
export type SendFreeFormRequest = components['schemas']['SendFreeFormRequest'];
export type SendFreeFormResponse = components['schemas']['SendFreeFormResponse'];
export type SendTemplateRequest = components['schemas']['SendTemplateRequest'];
export type SendTemplateResponse = components['schemas']['SendTemplateResponse'];
export type SendWindowField = components['schemas']['SendWindowField'];
export type SyncSummaryRecord = components['schemas']['SyncSummaryRecord'];
export type SyncTemplatesResponse = components['schemas']['SyncTemplatesResponse'];
export type TemplateBodyField = components['schemas']['TemplateBodyField'];
export type TemplateButtonField = components['schemas']['TemplateButtonField'];
export type TemplateButtonRecord = components['schemas']['TemplateButtonRecord'];
export type TemplateFooterField = components['schemas']['TemplateFooterField'];
export type TemplateHeaderField = components['schemas']['TemplateHeaderField'];
export type TemplateListResponse = components['schemas']['TemplateListResponse'];
export type TemplateRecord = components['schemas']['TemplateRecord'];
export type TemplateResponse = components['schemas']['TemplateResponse'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type UnauthorizedError = components['schemas']['UnauthorizedError'];
export type UnavailableError = components['schemas']['UnavailableError'];
export type UnprocessableEntityError = components['schemas']['UnprocessableEntityError'];
export type UnsupportedMediaTypeError = components['schemas']['UnsupportedMediaTypeError'];
export type UpdateContactRequest = components['schemas']['UpdateContactRequest'];
export type UpdateGroupRequest = components['schemas']['UpdateGroupRequest'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type UrlButton = components['schemas']['UrlButton'];
export type WebhookActionResponse = components['schemas']['WebhookActionResponse'];
export type WebhookDeletedResponse = components['schemas']['WebhookDeletedResponse'];
export type WebhookRecord = components['schemas']['WebhookRecord'];
export type WebhookResponse = components['schemas']['WebhookResponse'];
export type WebhookTestEvent = components['schemas']['WebhookTestEvent'];
export type WebhooksResponse = components['schemas']['WebhooksResponse'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePublicBadRequest = components['responses']['PublicBadRequest'];
export type ResponsePublicInternalError = components['responses']['PublicInternalError'];
export type ResponsePublicPayloadTooLarge = components['responses']['PublicPayloadTooLarge'];
export type ResponsePublicRequestTimeout = components['responses']['PublicRequestTimeout'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseStoredBadRequest = components['responses']['StoredBadRequest'];
export type ResponseStoredConflict = components['responses']['StoredConflict'];
export type ResponseStoredForbidden = components['responses']['StoredForbidden'];
export type ResponseStoredNotFound = components['responses']['StoredNotFound'];
export type ResponseStoredUnavailable = components['responses']['StoredUnavailable'];
export type ResponseStoredUnprocessableEntity = components['responses']['StoredUnprocessableEntity'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderRateLimitLimit = components['headers']['RateLimit-Limit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimit-Remaining'];
export type HeaderRateLimitReset = components['headers']['RateLimit-Reset'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderIdempotencyReplayed = components['headers']['Idempotency-Replayed'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderXMessageId = components['headers']['X-Message-Id'];
export type $defs = Record<string, never>;
export interface operations {
    "agents.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description An empty string lists everything
                 * @example ada
                 */
                search?: string;
                role?: "owner" | "admin" | "manager" | "agent";
                status?: "active" | "deactivated";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The account has as many working keys as it may have */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "apiKeys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApiKeyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                key_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                action?: "account.created" | "account.suspended" | "account.activated" | "account.contacts_erased" | "account.credited" | "agent.created" | "agent.deactivated" | "api_key.created" | "api_key.rotated" | "api_key.reissued" | "api_key.revoked" | "business_phone.created" | "business_phone.changed" | "campaign.sent" | "campaign.paused" | "campaign.resumed" | "campaign.cancelled" | "campaign.failed" | "campaign.retried" | "contact.erased" | "organisation.changed" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.replayed";
                /**
                 * @description Entries about this record
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                subject_id?: string;
                /**
                 * @description Entries from this time on. UTC unless it has an offset
                 * @example 2026-01-31T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Entries before this time. UTC unless it has an offset
                 * @example 2026-02-28T09:30:00Z
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessPhones.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusinessPhoneListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "campaigns.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                status?: "draft" | "scheduled" | "running" | "completed" | "cancelled" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "campaigns.create": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaignRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description Some groups or the template are unknown; the message names them */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "campaigns.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "campaigns.cancel": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignActionResponse"];
                };
            };
            /** @description The campaign has already ended */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "campaigns.pause": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignActionResponse"];
                };
            };
            /** @description The campaign is not running, or is already paused */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "campaigns.listRecipients": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                status?: "pending" | "accepted" | "sent" | "delivered" | "read" | "clicked" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "campaigns.exportRecipients": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with a header line */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "campaigns.resume": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignActionResponse"];
                };
            };
            /** @description The campaign is neither paused nor failed, a check failed, or the wallet has too few credits */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "campaigns.retryFailed": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignActionResponse"];
                };
            };
            /** @description The campaign is neither completed nor failed, no recipient is retryable, a check failed, or the wallet has too few credits */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "campaigns.send": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendCampaignResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "campaigns.stats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStatsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description An empty string lists everything
                 * @example ada
                 */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.create": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContactRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description A contact with this number exists; the message names it */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "contacts.export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with a header line */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.import": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file as the field `file` of a form, or as the body itself. At most 64 MiB. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description UTF-8, with a header line */
                    file: string;
                };
                /**
                 * @example phone_number,first_name,last_name,email,company,tags
                 *     4915123456789,Ada,Lorenzen,ada@example.com,,vip
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            /** @description The file is malformed; nothing was changed */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description Other files are being received or imported; nothing was changed */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    "contacts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.delete": {
        parameters: {
            query?: {
                /** @description true erases everything that identifies the person, in all records. Works on deleted contacts too */
                erase?: "true" | "false";
            };
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                contact_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateContactRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another contact has this number; the message names it */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.exportContact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactExportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                status?: "open" | "resolved";
                /**
                 * @description `user_id` of an agent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                assigned_to?: string;
                /** @description true lists unassigned conversations only, false assigned ones only */
                unassigned?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.assign": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918
                 * @example 4915123456789
                 */
                contact_phone: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignConversationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationActionResponse"];
                };
            };
            /** @description Resolved conversation, invalid field, no business number, no organisation */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The business phone is not one of the account’s */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            /** @description `user_id` is not an active member of the organisation */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `user_id` is missing */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnprocessableEntityError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "conversations.assignment": {
        parameters: {
            query?: {
                /**
                 * @description Default: the contact’s most recently active conversation, or else the primary phone’s
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918
                 * @example 4915123456789
                 */
                contact_phone: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignmentStateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The business phone is not one of the account’s */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.listMessages": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Default: all business phones of the account
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918
                 * @example 4915123456789
                 */
                contact_phone: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.reopen": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918
                 * @example 4915123456789
                 */
                contact_phone: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConversationChoiceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationActionResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The business phone is not one of the account’s */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "conversations.resolve": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918
                 * @example 4915123456789
                 */
                contact_phone: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResolveConversationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationActionResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The business phone is not one of the account’s */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "conversations.unassign": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918
                 * @example 4915123456789
                 */
                contact_phone: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConversationChoiceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationActionResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The business phone is not one of the account’s */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "groups.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description An empty string lists everything
                 * @example ada
                 */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "groups.create": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGroupRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description Some `contact_ids` are unknown; the message names them */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description A group with this name exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "groups.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupFoundResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "groups.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "groups.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                group_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateGroupRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another group has this name */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "groups.listContacts": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "groups.addContacts": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                group_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupMembersRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupMembersResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description The group or some contacts are unknown; the message names them */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "groups.removeContacts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                group_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupMembersRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupMembersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The group or some contacts are unknown; the message names them */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Digits with the country code, no `+`
                 * @example 4915123456789
                 */
                contact_phone?: string;
                /**
                 * @description The network’s id of the contact
                 * @example US.13491208655302741918
                 */
                contact_user_id?: string;
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                campaign_id?: string;
                direction?: "in" | "out";
                status?: "pending" | "accepted" | "sent" | "delivered" | "read" | "clicked" | "failed" | "received";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.send": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendTemplateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendTemplateResponse"];
                };
            };
            /** @description A field is wrong, the contact has opted out, or the network refused the message */
            400: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description The account has no such template */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description The message was not sent: try again after `Retry-After` */
            503: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description The network’s answer was lost: the message may have been sent, so do not send it again */
            504: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
        };
    };
    "messages.sendMessage": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendFreeFormRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendFreeFormResponse"];
                };
            };
            /** @description A field is wrong, the contact has opted out, or the network refused the message */
            400: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The service window is closed, or the business phone is not one of the account’s: `{detail}` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"] | components["schemas"]["ErrorDetail"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description The message was not sent: try again after `Retry-After` */
            503: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description The network’s answer was lost: the message may have been sent, so do not send it again */
            504: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
        };
    };
    "messages.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.list": {
        parameters: {
            query?: {
                status?: "APPROVED" | "PENDING" | "REJECTED";
                category?: "MARKETING" | "UTILITY" | "AUTHENTICATION";
                /**
                 * @description As the network writes it, such as `en_US`
                 * @example en_US
                 */
                language?: string;
                /**
                 * @description Any part of the name
                 * @example ada
                 */
                search?: string;
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Default: all templates
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.create": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTemplateResponse"];
                };
            };
            /** @description A field has the wrong type, or the network refused the template */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnprocessableEntityError"] | components["schemas"]["ErrorDetail"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
            /** @description The network did not answer: it may have done what was asked, or not */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
        };
    };
    "templates.createCarousel": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCarouselRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTemplateResponse"];
                };
            };
            /** @description A field has the wrong type, or the network refused the template */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnprocessableEntityError"] | components["schemas"]["ErrorDetail"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
            /** @description The network did not answer: it may have done what was asked, or not */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
        };
    };
    "templates.preview": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewTemplateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewTemplateResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description The account has no such template */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "templates.sync": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncTemplatesResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
            /** @description The network did not answer: it may have done what was asked, or not */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
        };
    };
    "templates.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description The network did not answer: it may have done what was asked, or not */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
        };
    };
    "webhooks.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookActionResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The account has the maximum number of webhooks, or one with this URL */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "webhooks.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookActionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another webhook of the account has this URL */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.listDeliveries": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.redeliver": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryActionResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The delivery is still pending, its event is past its retention, or the endpoint is disabled */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "webhooks.replay": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResponse"];
                };
            };
            /** @description `since` is in the future, or before the retention period of events */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description A replay is already running, or the endpoint is disabled */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "webhooks.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecretRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateSecretResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StoredConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "webhooks.test": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating a request with the same key and payload within 24 hours returns the first answer, with `Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryActionResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The endpoint is disabled */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredUnavailable"];
        };
    };
    "health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            500: components["responses"]["PublicInternalError"];
        };
    };
    "health.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                        /** @description Absent while the process is stopping */
                        checks?: {
                            /** @enum {string} */
                            database: "ok" | "unavailable" | "outdated";
                            /** @enum {string} */
                            schema: "ok" | "unavailable" | "outdated";
                            /** @enum {string} */
                            queue: "ok" | "unavailable" | "outdated";
                        };
                    };
                };
            };
            500: components["responses"]["PublicInternalError"];
            /** @description The database cannot be used, or the process is stopping */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "unavailable" | "stopping";
                        /** @description Absent while the process is stopping */
                        checks?: {
                            /** @enum {string} */
                            database: "ok" | "unavailable" | "outdated";
                            /** @enum {string} */
                            schema: "ok" | "unavailable" | "outdated";
                            /** @enum {string} */
                            queue: "ok" | "unavailable" | "outdated";
                        };
                    };
                };
            };
        };
    };
    "events.messageSentEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.sent",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "campaign_id": "019c1363-49c0-776c-97b7-040df1797a11",
                 *       "campaign_name": "Spring offer",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "status": "sent",
                 *         "previous_status": "pending",
                 *         "status_timestamp": "2026-01-31T09:29:59.000"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageSentEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.messageDeliveredEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.delivered",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "campaign_id": "019c1363-49c0-776c-97b7-040df1797a11",
                 *       "campaign_name": "Spring offer",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "status": "delivered",
                 *         "previous_status": "sent",
                 *         "status_timestamp": "2026-01-31T09:29:59.000"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageDeliveredEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.messageReadEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.read",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "campaign_id": "019c1363-49c0-776c-97b7-040df1797a11",
                 *       "campaign_name": "Spring offer",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "status": "read",
                 *         "previous_status": "delivered",
                 *         "status_timestamp": "2026-01-31T09:29:59.000"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageReadEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.messageFailedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.failed",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "campaign_id": null,
                 *       "campaign_name": null,
                 *       "message": {
                 *         "message_id": "019c1363-49c0-7472-96bd-f3a179fb98e2",
                 *         "contact_phone": "15559990001",
                 *         "contact_name": "Dana Example",
                 *         "status": "failed",
                 *         "previous_status": "sent",
                 *         "status_timestamp": "2026-01-31T09:29:59.000",
                 *         "error_message": "the message cannot be delivered to this recipient: the number may not be on WhatsApp (131026: Message undeliverable)",
                 *         "error_code": 131026
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageFailedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.buttonClickedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "button.clicked",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "campaign_id": "019c1363-49c0-776c-97b7-040df1797a11",
                 *       "campaign_name": "Spring offer",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example"
                 *       },
                 *       "button": {
                 *         "id": "more",
                 *         "text": "Tell me more",
                 *         "type": "quick_reply"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ButtonClickedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.messageReceivedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.received",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-721a-9dfd-5d80a9a39e72",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "content": "Are you open today?",
                 *         "message_type": "text",
                 *         "timestamp": "2026-01-31T09:29:59.000",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "is_reply": false,
                 *         "is_from_ad": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageReceivedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.messageReplyEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.reply",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "campaign_id": "019c1363-49c0-776c-97b7-040df1797a11",
                 *       "campaign_name": "Spring offer",
                 *       "original_message": {
                 *         "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "sent_at": "2026-01-31T09:28:00.000"
                 *       },
                 *       "reply": {
                 *         "message_id": "019c1363-49c0-7cd5-96a1-7b9afb09511e",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "content": "Yes, please!",
                 *         "message_type": "text",
                 *         "timestamp": "2026-01-31T09:29:59.000"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageReplyEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.conversationAssignedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "conversation.assigned",
                 *       "timestamp": "2026-01-31T09:30:00.000+00:00",
                 *       "conversation": {
                 *         "contact_phone": "15559990100",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "status": "open",
                 *         "assigned_to": "019c1363-49c0-789b-9355-00765dc0e381",
                 *         "assigned_to_name": "Ben Agent",
                 *         "previous_assignee_id": "019c1363-49c0-71f7-9696-631ceaf78136",
                 *         "previous_assignee_name": "Ada Agent",
                 *         "is_reassignment": true,
                 *         "note": "Speaks Portuguese",
                 *         "reason": null,
                 *         "actor": {
                 *           "user_id": "019c1363-49c0-768f-9920-c5e04c5a28d8",
                 *           "name": "Olive Owner",
                 *           "source": "api"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversationAssignedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.conversationUnassignedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "conversation.unassigned",
                 *       "timestamp": "2026-01-31T09:30:00.000+00:00",
                 *       "conversation": {
                 *         "contact_phone": "15559990100",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "status": "open",
                 *         "assigned_to": null,
                 *         "assigned_to_name": null,
                 *         "previous_assignee_id": "019c1363-49c0-789b-9355-00765dc0e381",
                 *         "previous_assignee_name": "Ben Agent",
                 *         "is_reassignment": false,
                 *         "note": null,
                 *         "reason": null,
                 *         "actor": {
                 *           "user_id": "019c1363-49c0-768f-9920-c5e04c5a28d8",
                 *           "name": "Olive Owner",
                 *           "source": "api"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversationUnassignedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.conversationResolvedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "conversation.resolved",
                 *       "timestamp": "2026-01-31T09:30:00.000+00:00",
                 *       "conversation": {
                 *         "contact_phone": "15559990100",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "status": "resolved",
                 *         "assigned_to": null,
                 *         "assigned_to_name": null,
                 *         "previous_assignee_id": null,
                 *         "previous_assignee_name": null,
                 *         "is_reassignment": false,
                 *         "note": null,
                 *         "reason": "Answered",
                 *         "actor": {
                 *           "user_id": "019c1363-49c0-768f-9920-c5e04c5a28d8",
                 *           "name": "Olive Owner",
                 *           "source": "api"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversationResolvedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.conversationReopenedEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "conversation.reopened",
                 *       "timestamp": "2026-01-31T09:30:00.000+00:00",
                 *       "conversation": {
                 *         "contact_phone": "15559990100",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "status": "open",
                 *         "assigned_to": "019c1363-49c0-768f-9920-c5e04c5a28d8",
                 *         "assigned_to_name": "Olive Owner",
                 *         "previous_assignee_id": null,
                 *         "previous_assignee_name": null,
                 *         "is_reassignment": false,
                 *         "note": null,
                 *         "reason": null,
                 *         "actor": {
                 *           "user_id": "019c1363-49c0-768f-9920-c5e04c5a28d8",
                 *           "name": "Olive Owner",
                 *           "source": "api"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversationReopenedEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.webhookTestEvent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event; the same on every attempt and in every repetition. Skip those that you have processed
                 * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, Unix seconds
                 * @example 1769851800
                 */
                "webhook-timestamp": string;
                /**
                 * @description One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it stands. Absent when the endpoint has no secret
                 * @example v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=
                 */
                "webhook-signature"?: string;
                /**
                 * @description `sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint has no secret
                 * @example sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135
                 */
                "X-Webhook-Signature"?: string;
                /**
                 * @description Who sends
                 * @example Parley-Webhook/1.0
                 */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "webhook.test",
                 *       "timestamp": "2026-01-31T09:30:00.000"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The delivery has failed, and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, after `Retry-After` if you send it */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery has failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, up to `retry_count` times */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
