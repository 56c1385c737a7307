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
         * @description It stops working within a second, on every process. The calling key needs every scope of the key that it revokes.
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
         * List the business phones of the account, primary first; with `cursor` oldest first
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
    "/api/v1/business-phones/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect a business phone
         * @description Checks the token, its rights and the ids at Meta, registers the number if a `pin` is given, subscribes the app, and compares callback URL and fields. Stores the phone only if no check has failed: 201. A number that the account has or had keeps its `waba_phone_id`.
         *
         *     Needs the scope `business_phones:write`.
         */
        post: operations["businessPhones.connect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/business-phones/{waba_phone_id}": {
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
         * Remove a business phone
         * @description Nothing can be sent from it any more (403), and its `phone_number_id` is free. Messages and conversations stay.
         *
         *     Needs the scope `business_phones:write`.
         */
        delete: operations["businessPhones.remove"];
        options?: never;
        head?: never;
        /**
         * Correct the ids of a business phone
         * @description Makes all checks again, and changes nothing if one has failed.
         *
         *     Needs the scope `business_phones:write`.
         */
        patch: operations["businessPhones.change"];
        trace?: never;
    };
    "/api/v1/business-phones/{waba_phone_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a business phone
         * @description The checks of connect, and whether reports come. They are at most a minute old.
         *
         *     Needs the scope `business_phones:read`.
         */
        get: operations["businessPhones.check"];
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
    "/api/v1/campaigns/{campaign_id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count a campaign’s failed recipients by reason
         * @description The most frequent reason first, with what to do about it.
         *
         *     Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.listFailures"];
        put?: never;
        post?: never;
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
    "/api/v1/campaigns/{campaign_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how fast a campaign was sent
         * @description How many of its messages the network accepted in each interval, from the first acceptance to the last one, or to now while it runs. A recipient who was retried has several messages.
         *
         *     Needs the scope `campaigns:read`.
         */
        get: operations["campaigns.showProgress"];
        put?: never;
        post?: never;
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
         * @description In sending order, unless `order` says otherwise. Filters can be combined. Each counter of the campaign equals the `total` of a list: `sent_count` that of `reached=sent`, `failed_count` that of `status=failed`.
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
         * @description The file begins with a byte order mark. Values that a spreadsheet would run as a formula are prefixed with an apostrophe.
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
         * @description Runs a completed or failed campaign again for its `retryable` recipients. A failed campaign also continues with the recipients it had not reached. Credits are reserved for all of them. Recipients of an AUTHENTICATION template cannot be retried, because one-time codes are not kept. Who failed with 131049 (too much marketing) is retried only with `include`, once, and not before 24 hours have passed: the network punishes more.
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
         * @description `search` matches any part of the name (first and last), phone number, email, username or user id. Case, accents, invisible marks and the number of blanks make no difference: `muller` finds Müller. Nor does the punctuation of a number, or the 0 of a national one: `+49 151 777`, `(0151) 777` and `0049-151777` all find 4915177712345. Where numbers have two spellings, as 525512345678 and 5215512345678 in Mexico, both are found.
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
         * @description The file begins with a byte order mark, and can be imported again. Text that a spreadsheet would run as a formula gets a leading apostrophe; an import removes it.
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
         * @description Columns are the contact’s field names, in a header; its line is 1. An empty cell leaves the value unchanged, and so do cells missing at the end of a row. Numbers may be written in any common way. The file may be in UTF-8, UTF-16 or Windows-1252, with commas, semicolons, tabs or `|` between cells, or what a first line `sep=` says. Rows that are invalid, or no CSV, are reported by line; a file without a header that can be read changes nothing. At most 100,000 rows and 64 MiB. Files of one account are imported one at a time; a file that has waited 30 seconds gets 503, and so does the fifth of an account at once. An upload may take ten minutes.
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
         * @description Absent fields stay unchanged; null clears an optional field. If a deleted contact has the new number, its history moves to this one.
         *
         *     Needs the scope `contacts:write`.
         */
        patch: operations["contacts.change"];
        trace?: never;
    };
    "/api/v1/contacts/{contact_id}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the decisions behind opted_in
         * @description Who opted the contact in or out, when, and the evidence. A decision that repeats the one in force adds nothing; nobody has decided about a contact without entries, and it is opted in.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["contacts.consentOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description The most recently active come first, unless `order` says otherwise.
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
    "/api/v1/conversations/{contact_phone}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get conversation
         * @description Needs the scope `conversations:read`.
         */
        get: operations["conversations.get"];
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
         * @description Reactions are no entries: they are in `reactions` of the message that they are put on.
         *
         *     Needs the scope `conversations:read`.
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
    "/api/v1/conversations/{contact_phone}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add note to conversation
         * @description For the people who answer: it stands in the timeline and is never sent. Emits nothing.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["conversations.addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{contact_phone}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark conversation as read
         * @description Tells the network that the contact’s newest message was read, and so all before it: the contact sees blue ticks. With `typing`, the contact also sees that you are typing.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["conversations.markRead"];
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
    "/api/v1/conversations/{contact_phone}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of a conversation
         * @description Messages, notes and changes (assigned, unassigned, resolved, reopened), newest first. Without `before`, `after` and `around` the newest entries. A cursor also names the business phone. Reactions are no entries. Of changes from before this version there are the assignments. In a conversation that is a small part of what a contact got from several phones, a page can hold fewer entries than `limit`: follow the cursors until they are null.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["conversations.timeline"];
        put?: never;
        post?: never;
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
         * @description `search` matches any part of the name.
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
         * @description The contacts themselves are kept. Deleted contacts are skipped.
         *
         *     Needs the scope `groups:write`.
         */
        delete: operations["groups.removeContacts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description Sends, campaigns and templates take the `id` of the answer as `media_id`, instead of a `media_url`. The file must be of the type that its part of the form declares. An image (JPEG, PNG) may have 5 MB, a video (MP4) and audio (AAC, MP3, M4A, AMR, OGG with Opus) 16 MB, a document (PDF, DOC, DOCX, PPT, PPTX, TXT) 100 MB, a sticker (WEBP) 100 KB, or 500 KB if it is animated. It is kept for 30 days, or until the last campaign that uses it has ended. An upload may take 15 minutes; the fifth of an account at once gets 503.
         *
         *     Needs the scope `messages:write`.
         */
        post: operations["media.upload"];
        delete?: never;
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
    "/api/v1/messages/{message_id}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the file of a message
         * @description What a contact sent. One that was not fetched from the network yet is fetched first, for up to ten seconds; 503 means that it may still come. The type is that of its content. Images, audio and video may be shown; everything else is an attachment. `ETag` with `If-None-Match`, and single ranges of bytes, are supported.
         *
         *     Needs the scope `messages:read`.
         */
        get: operations["messages.getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved replies
         * @description `search` matches any part of name and text.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["savedReplies.list"];
        put?: never;
        /**
         * Create saved reply
         * @description A text to insert while answering. Whoever inserts it replaces `{{first_name}}` and the like.
         *
         *     Needs the scope `conversations:write`.
         */
        post: operations["savedReplies.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-replies/{saved_reply_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get saved reply
         * @description Needs the scope `conversations:read`.
         */
        get: operations["savedReplies.get"];
        put?: never;
        post?: never;
        /**
         * Delete saved reply
         * @description Needs the scope `conversations:write`.
         */
        delete: operations["savedReplies.delete"];
        options?: never;
        head?: never;
        /**
         * Change saved reply
         * @description Absent fields stay unchanged.
         *
         *     Needs the scope `conversations:write`.
         */
        patch: operations["savedReplies.change"];
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who has signed in */
        get: operations["session.current"];
        put?: never;
        /**
         * Sign in
         * @description For pages of this service: sets a cookie that lasts 7 days, and 12 hours without a request. With the cookie instead of an API key, each request names its account in `Parley-Account` (or, in a link to a file, in `?account=`), and may do what the role of the user allows.
         */
        post: operations["session.create"];
        /** Sign out */
        delete: operations["session.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change password
         * @description Ends all other sessions of the user, and makes links void.
         */
        post: operations["session.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["session.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["session.endOther"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch what changes
         * @description Server-sent events, for pages of this service: of each topic its state at once, and again after a change. `hello` comes first, with the time of the server and the version of the console. `signed_out` and `reset` end the stream: sign in, or open it again and read everything that is shown. Nothing is repeated, and states in between may be left out. A comment comes every 15 seconds.
         */
        get: operations["session.watch"];
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
         * @description Example media are fetched from `media_url`, unless they were uploaded, while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
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
         * @description Example media are fetched from `media_url`, unless they were uploaded, while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
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
         * @description The key needs the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …). So does one that names no events: they are the eleven usual ones.
         *
         *     Needs the scope `webhooks:write`.
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
         * @description The key needs the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …), and of what is still to be sent, before and after the change, unless it only disables the endpoint.
         *
         *     Needs the scope `webhooks:write`.
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
         * @description Without the read scope of what an event carries, `response` of its attempts is null: receivers may repeat it.
         *
         *     Needs the scope `webhooks:read`.
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
         * @description Sends the same bytes with the same `webhook-id` again, with all retries. New attempts are added to the existing ones. The key needs the read scope of what the event carries.
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
         * @description Delivers every event from `since` until now again, whether it was delivered or not, oldest first and with its original `webhook-id`. The replay runs in the background alongside new events; `GET /api/v1/webhooks/{webhook_id}` shows its progress. An endpoint has one replay at a time. While the endpoint is disabled, its replay is paused. The key needs the read scope of what each replayed event carries.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.replay"];
        /**
         * Cancel a replay
         * @description It creates no further deliveries; those it has created are delivered. Another one can start.
         *
         *     Needs the scope `webhooks:write`.
         */
        delete: operations["webhooks.cancelReplay"];
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
         * @description From the next attempt on, `X-Webhook-Signature` uses the new secret. `webhook-signature` has a signature with the new secret and with each one that was replaced in the last 24 hours, at most five together. Rotating to the present secret changes nothing. The key needs the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …), and of what is still to be sent.
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
    "message.edited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact edited a message; only for webhooks that subscribe to this event or to `*` */
        post: operations["events.messageEditedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact deleted a message or took a reaction back; only for webhooks that subscribe to this event or to `*` */
        post: operations["events.messageRevokedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook was disabled; only for webhooks that subscribe to this event or to `*` */
        post: operations["events.webhookDisabledEvent"];
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
             * @example 2
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 50 */
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
            /** @example ben@example.com */
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
            /** @example second */
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
             * @example 2
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
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
             * @example 019c1363-49c0-789b-9355-00765dc0e381
             */
            user_id: string;
            /**
             * @description In the timeline; on reassignment also in the answer and the event
             * @example Speaks Portuguese
             */
            note?: string | null;
            /**
             * @description Answers 409, which names the assignee, if another agent has the conversation
             * @default false
             * @example true
             */
            only_if_unassigned?: boolean | null;
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
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            assigned_to: string | null;
            /** @example Ben Agent */
            assigned_to_name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000+00:00
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
             * @description First 1 KiB of the response body, decoded by its `Content-Encoding` and charset; null also for a key that may not read what the event carries
             * @example Service Unavailable
             */
            response: string | null;
            /**
             * @description What was odd about a response whose status was understood, such as two lengths; null if nothing was
             * @example Asked for the invoice again
             */
            note: string | null;
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
             * @description user: a person who has signed in; cli: an operator of the service; system: the service itself
             * @enum {string}
             */
            actor: "api_key" | "user" | "cli" | "system";
            /**
             * Format: uuid
             * @description Null unless the actor is an API key
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            api_key_id: string | null;
            /**
             * @description The name that the API key had at the time
             * @example test
             */
            api_key_name: string | null;
            /**
             * Format: uuid
             * @description Null unless the actor is a user
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            user_id: string | null;
            /**
             * @description The name that the user had at the time
             * @example null
             */
            user_name: string | null;
            /** @enum {string} */
            action: "account.created" | "account.suspended" | "account.activated" | "account.contacts_erased" | "account.credited" | "agent.created" | "agent.changed" | "agent.deactivated" | "agent.activated" | "agent.signed_in" | "agent.sign_in_refused" | "agent.signed_out" | "agent.password_set" | "agent.sign_in_link_created" | "api_key.created" | "api_key.rotated" | "api_key.reissued" | "api_key.revoked" | "business_phone.created" | "business_phone.changed" | "business_phone.connected" | "business_phone.removed" | "campaign.sent" | "campaign.paused" | "campaign.resumed" | "campaign.cancelled" | "campaign.failed" | "campaign.retried" | "contact.erased" | "organisation.changed" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.replayed" | "webhook.replay_cancelled";
            /** @enum {string} */
            subject_type: "account" | "agent" | "api_key" | "business_phone" | "campaign" | "contact" | "organisation" | "webhook";
            /**
             * Format: uuid
             * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
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
             * @description The `X-Request-Id` of the answer; null when no request made the change
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
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
             * @description Matching rows on all pages, at most 10,000
             * @example 4
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            /**
             * @description Present if more rows may match than `total` says
             * @enum {boolean}
             */
            total_is_capped?: true;
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
             *     - `marketing_closed`: A MARKETING template was sent to a number of the United States, where the network delivers none.
             * @enum {string}
             */
            error: "bad_request" | "network_rejected" | "contact_opted_out" | "marketing_closed";
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
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
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
             * @example 551411976402
             */
            phone_number_id: string;
            /**
             * @description The network id of its business account
             * @example 771411976401
             */
            waba_id: string;
            /**
             * @description The number, digits with the country code first
             * @example 15551976403
             */
            phone: string;
            /**
             * @description Messages per second, 0 = no limit
             * @example 0
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
            /** @description What the network restricts, of several restrictions the strictest; null for nothing */
            restriction: components["schemas"]["RestrictionField"] | null;
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
                /**
                 * @description As the send gave it; absent if it gave none
                 * @example order-4711
                 */
                reference?: string;
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
             * @description Required for a URL button with {{1}}; is sent percent-encoded
             * @example spring
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
        ButtonsPart: {
            /** @enum {string} */
            type: "reply" | "cta_url";
            /** @description Only if `type` is `reply` */
            reply_buttons?: components["schemas"]["SentReplyButton"][];
            /** @description Only if `type` is `cta_url` */
            url_button?: components["schemas"]["SentUrlButton"];
        };
        CampaignActionResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Campaign cancelled */
            message: string;
            campaign: components["schemas"]["CampaignRecord"];
        };
        CampaignActorField: {
            /**
             * Format: uuid
             * @description Null when its scheduled time had come
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            user_id: string | null;
            /** @example Mira Lindholm */
            name: string | null;
            /**
             * @description `api`: with an API key; `manual`: by a person; `schedule`: its scheduled time had come
             * @enum {string}
             */
            source: "api" | "manual" | "schedule";
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
             * @description Your own name of the message: on its record, and in events about it and its answers
             * @example order-4711
             */
            reference?: string | null;
            /**
             * @description With its country code, or as dialled in `default_country`; in any common format
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
             * @example 2
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            campaigns: components["schemas"]["CampaignRecord"][];
            /** @description Of the campaigns that match `search`, `since` and `contact_id` */
            counts: components["schemas"]["CampaignStatusCounts"];
        };
        CampaignProgressResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description How long each interval is: from a second to days, as short as possible for 120 of them
             * @example 1
             */
            bucket_seconds: number;
            /** @description Every interval, the earliest first, also those with nothing; empty before the first acceptance */
            buckets: components["schemas"]["ProgressBucketRecord"][];
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
            /** @example 2 */
            total_contacts: number;
            /**
             * @description Recipients whose latest message the network accepted
             * @example 0
             */
            sent_count: number;
            /**
             * @description Recipients to whose device it was delivered
             * @example 0
             */
            delivered_count: number;
            /**
             * @description Recipients who read it
             * @example 0
             */
            read_count: number;
            /**
             * @description Recipients who tapped a button
             * @example 0
             */
            clicked_count: number;
            /**
             * @description Recipients whose latest message failed at any stage
             * @example 0
             */
            failed_count: number;
            /**
             * @description Recipients who replied
             * @example 0
             */
            replied_count: number;
            /**
             * @description `total_contacts` minus `failed_count`
             * @example 2
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
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            waba_phone_id: string;
            /**
             * @description A one-time code is shown as `•`
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
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id: string | null;
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
            /**
             * @description 0: it never pauses itself
             * @example 50
             */
            max_failure_percent: number;
            /**
             * @description Accepted and counted in `sent_count`, but held back by the network to check the quality
             * @example 0
             */
            held_count: number;
            /**
             * @description When the next recipient that waits may be sent to; null if none waits, or nobody can say when
             * @example 2026-01-31T09:30:00.000Z
             */
            waiting_until: string | null;
            /**
             * @description What that recipient waits for, while the others are sent to: for the end of a restriction of the business phone, for `send_window`, or for the messaging limit of the portfolio. `phone` and `network`: the whole campaign waits. Null if none waits
             * @example send_window
             * @enum {string|null}
             */
            waiting_reason: "phone" | "network" | "restriction" | "send_window" | "messaging_limit" | null;
            /**
             * @description Whether the campaign is running but paused
             * @example false
             */
            paused: boolean;
            /**
             * Format: date-time
             * @description Null unless it is paused
             * @example 2026-01-31T09:30:00.000Z
             */
            paused_at: string | null;
            /** @description Null unless it is paused, and if it paused itself: then `failure_reason` says why */
            paused_by: components["schemas"]["CampaignActorField"] | null;
            /**
             * @description Why the campaign stopped, and what to do
             * @example the template was paused by the network; resume the campaign when it is active again
             */
            failure_reason: string | null;
            /** @description Null for campaigns of earlier releases */
            created_by: components["schemas"]["CampaignActorField"] | null;
            /** @description Null until it is started, and for campaigns of earlier releases */
            started_by: components["schemas"]["CampaignActorField"] | null;
            /**
             * @description The groups of `group_ids`, as they were called then
             * @example [
             *       "Regulars"
             *     ]
             */
            group_names: string[];
            /** @description Null for campaigns of earlier releases */
            left_out: components["schemas"]["LeftOutField"] | null;
        };
        CampaignResponse: {
            /** @enum {string} */
            status: "success";
            campaign: components["schemas"]["PacedCampaignRecord"];
        };
        CampaignStatsResponse: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string;
            /** @example Autumn */
            name: string;
            /** @enum {string} */
            campaign_status: "draft" | "scheduled" | "running" | "completed" | "cancelled" | "failed";
            /** @example 1 */
            total_contacts: number;
            /**
             * @description Recipients whose latest message the network accepted
             * @example 0
             */
            sent_count: number;
            /**
             * @description Recipients to whose device it was delivered
             * @example 0
             */
            delivered_count: number;
            /**
             * @description Recipients who read it
             * @example 0
             */
            read_count: number;
            /**
             * @description Recipients who tapped a button
             * @example 0
             */
            clicked_count: number;
            /**
             * @description Recipients whose latest message failed at any stage
             * @example 0
             */
            failed_count: number;
            /**
             * @description Recipients who replied
             * @example 0
             */
            replied_count: number;
            /**
             * @description `total_contacts` minus `failed_count`
             * @example 1
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
        CampaignStatusCounts: {
            /** @example 2 */
            draft: number;
            /** @example 0 */
            scheduled: number;
            /** @example 0 */
            running: number;
            /** @example 0 */
            completed: number;
            /** @example 0 */
            cancelled: number;
            /** @example 0 */
            failed: number;
        };
        CardAddressField: {
            /** @example 1 Example Street */
            street?: string | null;
            /** @example Berlin */
            city?: string | null;
            /** @example BE */
            state?: string | null;
            /** @example 10115 */
            zip?: string | null;
            /** @example Germany */
            country?: string | null;
            /** @example de */
            country_code?: string | null;
            /** @example WORK */
            type?: string | null;
        };
        CardEmailField: {
            /** @example casey@example.com */
            email?: string | null;
            /** @example WORK */
            type?: string | null;
        };
        CardNameField: {
            /**
             * @description As it is shown
             * @example Casey Example
             */
            formatted_name: string;
            /** @example Casey */
            first_name?: string | null;
            /** @example Example */
            last_name?: string | null;
            /** @example Q. */
            middle_name?: string | null;
            /** @example Jr. */
            suffix?: string | null;
            /** @example Dr. */
            prefix?: string | null;
        };
        CardOrganisationField: {
            /** @example Example Ltd */
            company?: string | null;
            /** @example Support */
            department?: string | null;
            /** @example Agent */
            title?: string | null;
        };
        CardPhoneField: {
            /** @example +1 555 999 0100 */
            phone?: string | null;
            /** @example WORK */
            type?: string | null;
            /** @example 15559990100 */
            wa_id?: string | null;
        };
        CardUrlField: {
            /** @example https://example.com */
            url?: string | null;
            /** @example WORK */
            type?: string | null;
        };
        CarouselCardField: {
            /** @enum {string} */
            header_format: "IMAGE" | "VIDEO";
            /**
             * @description Required unless `media_id` is given
             * @example https://example.com/tulips.jpg
             */
            media_url?: string | null;
            /**
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /** @example This week only */
            body_text?: string | null;
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
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /**
             * @description One per URL button with {{1}}; is sent percent-encoded
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
        ChangePasswordRequest: {
            /**
             * @description The password so far; not needed after a link, nor for the first one
             * @example correct horse battery
             */
            current?: string | null;
            /**
             * @description 12 to 128 characters, without your e-mail address, and not a common one
             * @example seven quiet garden lamps
             */
            next: string;
        };
        ChangePhoneRequest: {
            /**
             * @description Meta’s id of the phone
             * @example 106540352242922
             */
            phone_number_id?: string | null;
            /**
             * @description Meta’s id of the WhatsApp business account
             * @example 102290129340398
             */
            waba_id?: string | null;
        };
        ChangeRecord: {
            /** @enum {string} */
            kind: "assigned" | "unassigned" | "resolved" | "reopened";
            actor: components["schemas"]["EntryActorField"];
            /**
             * Format: uuid
             * @description `user_id` of the agent after the change
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            assigned_to: string | null;
            /** @example Ben Agent */
            assigned_to_name: string | null;
            /**
             * Format: uuid
             * @description Who lost the conversation
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            previous_assignee_id: string | null;
            /** @example Ada Agent */
            previous_assignee_name: string | null;
            /**
             * @description Of an assignment, also of the first one
             * @example Asked for the invoice again
             */
            note: string | null;
            /**
             * @description Of a resolution or a release
             * @example Answered by phone
             */
            reason: string | null;
        };
        CheckField: {
            /**
             * @example fields
             * @enum {string}
             */
            check: "app" | "token" | "token_app" | "permissions" | "business_account" | "registration" | "subscription" | "callback_url" | "fields" | "name" | "quality" | "health" | "payment" | "live_mode" | "reports";
            /**
             * @description `failed` keeps messages or reports from flowing; `unknown` cannot be found out, or not yet
             * @enum {string}
             */
            result: "ok" | "warning" | "failed" | "unknown";
            /**
             * @description What was found
             * @example subscribed: messages, account_update
             */
            found: string;
            /**
             * @description What is wrong
             * @example null
             */
            problem: string | null;
            /**
             * @description Where to mend it
             * @example null
             */
            advice: string | null;
        };
        ChoosableOrganisation: {
            /**
             * Format: uuid
             * @description Of an account without an organisation, its id
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            organisation_id: string;
            /** @example Shop Ltd */
            name: string;
        };
        /**
         * @description A request with the same Idempotency-Key is still in progress
         * @example {
         *       "error": "conflict",
         *       "message": "A record with the same unique value exists, the record is still in use, or the same request is still in progress."
         *     }
         */
        ConflictError: {
            /**
             * @description - `conflict`: A record with the same unique value exists, the record is still in use, or the same request is still in progress.
             * @enum {string}
             */
            error: "conflict";
            /**
             * @description For people: names the field, the limit and the value found
             * @example the phone number belongs to another contact
             */
            message: string;
        };
        ConnectPhoneRequest: {
            /**
             * @description Meta’s id of the phone
             * @example 106540352242922
             */
            phone_number_id: string;
            /**
             * @description Meta’s id of the WhatsApp business account
             * @example 102290129340398
             */
            waba_id: string;
            /**
             * @description A permanent access token of a system user. Either this or `code`
             * @example EAAGm0PX4ZCpsBA
             */
            token?: string | null;
            /**
             * @description The code of Embedded Signup, which is exchanged for a token: once, within 30 seconds
             * @example AQBhR2xvYmFs
             */
            code?: string | null;
            /**
             * @description The app whose token it is. Default: the operator’s first app
             * @example 670843887433847
             */
            app_id?: string | null;
            /**
             * @description Registers the number with this PIN
             * @example 123456
             */
            pin?: string | null;
        };
        ConnectPhoneResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Business phone connected */
            message: string;
            /**
             * @description Whether it is stored: no check has failed
             * @example true
             */
            connected: boolean;
            /** @description Null if it is not connected */
            business_phone: components["schemas"]["BusinessPhoneRecord"] | null;
            /** @description In the order in which to mend them */
            checks: components["schemas"]["CheckField"][];
        };
        ConsentDecisionRecord: {
            /** @enum {string} */
            decision: "in" | "out";
            /**
             * @description The contact, by a text or tap; the network on their behalf; or the account, by API, file or command
             * @enum {string}
             */
            by: "person" | "network" | "account";
            evidence: components["schemas"]["ConsentEvidenceRecord"] | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        ConsentEvidenceRecord: {
            /** @enum {string} */
            kind: "message" | "callback" | "request" | "import" | "merge";
            /**
             * @description Of a message its id; of a callback or request its request id; of an import the request id and the line, joined by a colon; of a merge the id of the contact that was merged
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
        };
        ContactCardField: {
            name: components["schemas"]["CardNameField"];
            phones?: components["schemas"]["CardPhoneField"][] | null;
            emails?: components["schemas"]["CardEmailField"][] | null;
            urls?: components["schemas"]["CardUrlField"][] | null;
            addresses?: components["schemas"]["CardAddressField"][] | null;
            org?: components["schemas"]["CardOrganisationField"] | null;
            /**
             * @description YYYY-MM-DD
             * @example 1990-01-31
             */
            birthday?: string | null;
        };
        ContactConsentResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 0
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            consent: components["schemas"]["ConsentDecisionRecord"][];
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
             * @description Decisions about marketing messages, in the order in which they arrived
             * @example [
             *       {
             *         "opted_in": false,
             *         "decided_by": "person",
             *         "decided_at": "2026-01-31T09:30:00.000Z"
             *       }
             *     ]
             */
            consent: {
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
             * @description Notes in the conversations and changes of their state, with notes and reasons
             * @example [
             *       {
             *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
             *         "kind": "note",
             *         "note": "Prefers mornings"
             *       }
             *     ]
             */
            entries: {
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
             * @description Events of the contact, with the body sent to webhooks, and what other events say about it
             * @example []
             */
            events: {
                [key: string]: unknown;
            }[];
            /**
             * @description Deliveries of its events, with their attempts and what the receivers’ responses say about the contact
             * @example []
             */
            deliveries: {
                [key: string]: unknown;
            }[];
            /**
             * @description Stored callbacks of the network that name the contact: method, path, status, field, time, and what they say about the contact
             * @example []
             */
            callbacks: {
                [key: string]: unknown;
            }[];
            /**
             * @description Requests with an Idempotency-Key whose stored response names the contact: method, path, status, time, and what the response says about the contact. Keys, secrets and others are left out
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
             * @example 4915411976433
             */
            phone_number: string | null;
            /**
             * @description The network’s user id of this person, scoped to your business; absent if unknown
             * @example US.96813708709368163684
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
             * @example 4
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            contacts: components["schemas"]["ContactRecord"][];
        };
        ContextPart: {
            /**
             * Format: uuid
             * @description Null for one that Parley does not know
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string | null;
            /**
             * @description Only if `message_id` is null
             * @example wamid.HBgLMTU1NTk5OTAxMDA
             */
            network_message_id?: string;
            /** @example false */
            forwarded: boolean;
            /**
             * @description Forwarded more than five times
             * @example false
             */
            frequently_forwarded: boolean;
            /**
             * @description The product of a catalogue that it asks about: `catalog_id` and `product_retailer_id`
             * @example null
             */
            referred_product: {
                [key: string]: unknown;
            } | null;
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
                 * @description Of a resolution or a release
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
            /**
             * Format: uuid
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            contact_id: string;
            /** @example Ada Lorenzen */
            contact_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000+00:00
             */
            last_message_at: string | null;
            /** @example Your parcel is on its way. */
            last_message_preview: string | null;
            /**
             * @description Null where no message is stored any more
             * @enum {string|null}
             */
            last_message_direction: "in" | "out" | null;
            /**
             * @description `received` if the contact wrote last
             * @example received
             */
            last_message_status: string | null;
            /**
             * Format: date-time
             * @description The time of the contact’s first message that nobody has answered; null if the contact waits for nothing. Reactions, campaigns and automatic replies change nothing, and whoever was answered by a message that failed waits as before
             * @example 2026-01-31T09:30:00.000Z
             */
            waiting_since: string | null;
            /**
             * Format: date-time
             * @description When the 24-hour window closes
             * @example 2026-01-31T09:30:00.000+00:00
             */
            window_expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000+00:00
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
                 * @description Of a resolution or a release
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
                 * @description Of a resolution or a release
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
        ConversationResponse: {
            /** @enum {string} */
            status: "success";
            conversation: components["schemas"]["ConversationRecord"];
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
                 * @description Of a resolution or a release
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
             * @description Matching conversations on all pages. Exact for lists by `status`, `assigned_to` and `unassigned` only; with any other filter or order at most 10,000
             * @example 1
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            /**
             * @description Present if more rows may match than `total` says
             * @enum {boolean}
             */
            total_is_capped?: true;
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
            scopes?: ("*" | "messages:read" | "messages:write" | "templates:read" | "templates:write" | "campaigns:read" | "campaigns:write" | "contacts:read" | "contacts:write" | "groups:read" | "groups:write" | "conversations:read" | "conversations:write" | "agents:read" | "agents:write" | "business_phones:read" | "business_phones:write" | "webhooks:read" | "webhooks:write" | "api_keys:read" | "api_keys:write" | "audit:read" | "audit:write")[] | null;
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
             * @description Required if the header is IMAGE, VIDEO or DOCUMENT, unless `media_id` is given; served under the Content-Type of an accepted format
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /**
             * @description For documents; default: the last part of the path of `media_url` or the name of the upload, or `document` and the extension of its type
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
             * @example spring_offer
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
            /** @description Required unless `group_ids` is given. A campaign has at most 10000 contacts, including those from groups. If several entries have the same number, in any spelling, the first one is used. The request body is limited to 4 MiB, about 400 bytes per entry for 10000 entries */
            contacts?: components["schemas"]["CampaignContact"][];
            /**
             * @description Country of numbers without `+` or `00`, as two letters of ISO 3166. Such numbers are then read as they are dialled there. Digits may still be international: they are if they begin with the code of this country and go on with a valid number of it, or are more likely a number of another country (a mobile phone before a landline, a valid number before a possible one). Digits that a contact has already mean that contact. By default all numbers have their country code
             * @example DE
             */
            default_country?: string | null;
            /**
             * @description Groups to send to. Members are determined when the campaign is created
             * @example [
             *       "019c1363-49c0-7dfa-9508-c296aabc444f",
             *       "019c1363-49c0-7642-9fe5-1e78f53e031a"
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
             * @description When to send the campaign. Without an offset, it is local time in `scheduled_timezone`. If the service is away then and comes back more than 6 hours later, the campaign becomes `failed` and can be resumed
             * @example 2030-01-31T09:30:00
             */
            scheduled_at?: string | null;
            /** @description Hours of the day when the campaign may send */
            send_window?: components["schemas"]["SendWindowField"] | null;
            /**
             * @description Recipients not sent to by then are cancelled; must be later than `scheduled_at`. Without an offset, it is local time in `scheduled_timezone`
             * @example 2030-01-31T20:00:00
             */
            send_before?: string | null;
            /**
             * @description The campaign pauses itself when more than this many of the last 100 recipients failed, counting only messages the network accepted or refused. 0: never
             * @default 50
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
            /** @example Campaign created as draft for 2 contacts */
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
             * @example 2
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
            /**
             * @default en_US
             * @example en_US
             */
            language?: string | null;
            /**
             * Format: uuid
             * @description Default: the primary phone
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /**
             * @description How long the network may try to deliver a message, seconds
             * @example 600
             */
            message_send_ttl_seconds?: number | null;
            /** @example spring_carousel */
            name: string;
            body: components["schemas"]["TemplateBodyField"];
            cards: components["schemas"]["CarouselCardField"][];
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
            /**
             * @description Whether the contact may be sent MARKETING templates; true also lifts an earlier opt-out by the contact itself. Without it an earlier decision stays in force, else the contact is opted in
             * @example true
             */
            opted_in?: boolean;
        };
        CreateGroupRequest: {
            /**
             * @description Unique within the account
             * @example Customers in Berlin
             */
            name: string;
            /** @example Bought something this year */
            description?: string | null;
            /**
             * @example [
             *       "berlin"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Contacts to add immediately
             * @example [
             *       "019c1363-49c0-7dfa-9508-c296aabc444f",
             *       "019c1363-49c0-7642-9fe5-1e78f53e031a"
             *     ]
             */
            contact_ids?: string[] | null;
        };
        CreateNoteRequest: {
            /**
             * Format: uuid
             * @description Default: the contact’s most recently active conversation, or else the primary phone’s
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /**
             * @description For the people who answer; never sent
             * @example Wants to be called back after 5 p.m.
             */
            text: string;
        };
        CreateSavedReplyRequest: {
            /**
             * @description Unique within the account, in whatever case
             * @example Parcel on its way
             */
            name: string;
            /**
             * @description May have the variables `{{first_name}}`, `{{last_name}}`, `{{phone_number}}`, `{{email}}` and `{{company}}`, which whoever inserts the text replaces
             * @example Hello {{first_name}}, your parcel left us today.
             */
            text: string;
        };
        CreateTemplateRequest: {
            /**
             * @default en_US
             * @example en_US
             */
            language?: string | null;
            /**
             * Format: uuid
             * @description Default: the primary phone
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /**
             * @description How long the network may try to deliver a message, seconds
             * @example 600
             */
            message_send_ttl_seconds?: number | null;
            /** @example order_update */
            name: string;
            /** @enum {string} */
            category: "MARKETING" | "UTILITY" | "AUTHENTICATION";
            header?: components["schemas"]["TemplateHeaderField"] | null;
            /**
             * @description Required for IMAGE, VIDEO and DOCUMENT headers, unless `media_id` is given
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /** @description Required for MARKETING and UTILITY */
            body?: components["schemas"]["TemplateBodyField"] | null;
            footer?: components["schemas"]["TemplateFooterField"] | null;
            buttons?: components["schemas"]["TemplateButtonField"][] | null;
            /** @description MARKETING only */
            limited_time_offer?: components["schemas"]["LimitedTimeOfferField"] | null;
            /** @example SPRING20 */
            offer_code?: string | null;
            /**
             * @description AUTHENTICATION only
             * @example true
             */
            add_security_recommendation?: boolean | null;
            /**
             * @description AUTHENTICATION only
             * @example 10
             */
            code_expiration_minutes?: number | null;
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
             * @example 1795874124727000
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
             * @description A public https URL; its canonical spelling is kept, of at most 2,048 bytes
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @description Signs deliveries. Write-only
             * @example whsec_VGhpcyBrZXkgaXMgYW4gZXhhbXBsZSBvbmx5Lg==
             */
            secret?: string | null;
            /**
             * @description Empty or absent: the eleven events of messages, buttons and conversations. Other events reach only endpoints that name them, or `*`: every event, also those added later, for which the key needs the scope `*`
             * @example [
             *       "message.received",
             *       "message.failed"
             *     ]
             */
            subscribed_events?: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "*")[] | null;
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
            /**
             * @description Sent with every delivery besides Parley’s own, for receivers that ask for a login. Write-only
             * @example {
             *       "authorization": "Bearer 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d"
             *     }
             */
            headers?: {
                [key: string]: string;
            } | null;
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
             * @description Matching rows on all pages, at most 10,000
             * @example 1
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            /**
             * @description Present if more rows may match than `total` says
             * @enum {boolean}
             */
            total_is_capped?: true;
            deliveries: components["schemas"]["DeliveryRecord"][];
        };
        DeliveryActionResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Test event queued */
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
            event: "message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "webhook.test";
            /**
             * @description The `webhook-id` header, stable per event
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
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
        EnterableAccount: {
            /**
             * Format: uuid
             * @description What `Parley-Account` names
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            account_id: string;
            /** @example Shop */
            name: string;
            /**
             * @description A suspended account is read-only
             * @enum {string}
             */
            status: "active" | "suspended";
        };
        EntryActorField: {
            /**
             * @description `system` for automatic changes and those of an operator
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            user_id: string;
            /** @example Olive Owner */
            name: string;
            /** @enum {string} */
            source: "manual" | "api" | "auto_inbound" | "auto_reply" | "auto_reopen";
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
        FailureListResponse: {
            /** @enum {string} */
            status: "success";
            /** @description The most frequent reason first */
            failures: components["schemas"]["FailureRecord"][];
        };
        FailureRecord: {
            /**
             * @description The network’s code, or one of Parley’s own
             * @example 131026
             */
            error_code: number;
            /**
             * @description What it means
             * @example The recipient has opted out of marketing messages
             */
            title: string;
            /**
             * @description What to do about it
             * @example Do not try again.
             */
            advice: string;
            /**
             * @description Failed recipients
             * @example 12
             */
            count: number;
            /**
             * @description Whether `retry-failed` can send to any of them again; for 131049, only with `include`
             * @example true
             */
            retryable: boolean;
            /**
             * Format: date-time
             * @description When the first of them can be retried; null: now, or never
             * @example 2026-01-31T09:30:00.000Z
             */
            retry_after: string | null;
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
             *       "019c1363-49c0-7dfa-9508-c296aabc444f",
             *       "019c1363-49c0-7642-9fe5-1e78f53e031a"
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
             *       "019c1363-49c0-7dfa-9508-c296aabc444f"
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
            /** @example Bought something this year */
            description: string | null;
            /**
             * @example [
             *       "berlin"
             *     ]
             */
            tags: string[];
            /**
             * @description Number of contacts in the group
             * @example 1
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
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
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
            /** @description The first 1,000 rows whose `opted_in: true` was not applied, because the contact itself, or the network for it, has opted out; absent if there are none */
            warnings?: components["schemas"]["RowWarningRecord"][];
        };
        InteractivePart: {
            /**
             * @description `button` for the quick reply of a template, `button_reply`, `list_reply`, `flow` for a form, or another
             * @example list_reply
             */
            type: string;
            /**
             * @description Of a button or list entry
             * @example morning
             */
            id?: string | null;
            /** @example In the morning */
            title?: string | null;
            /**
             * @description Of a list entry
             * @example 8 to 12
             */
            description?: string | null;
            /**
             * @description Of a form
             * @example flow
             */
            name?: string | null;
            /**
             * @description What was filled into a form, parsed; null when it is not JSON
             * @example {
             *       "delivery_day": "2026-02-03",
             *       "persons": 4
             *     }
             */
            response?: {
                [key: string]: unknown;
            } | null;
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
        LeftOutField: {
            /**
             * @description Numbers that nobody can have
             * @example 2
             */
            invalid_phones: number;
            /**
             * @description People who were listed again, in `contacts` or in a group
             * @example 3
             */
            duplicates: number;
        };
        LimitedTimeOfferField: {
            /** @example Ends soon */
            text: string;
            /**
             * @description Whether the message shows a countdown
             * @default true
             * @example true
             */
            has_expiration?: boolean | null;
        };
        LimitedTimeOfferRecord: {
            /** @example Ends soon */
            text: string;
            /** @example true */
            has_expiration: boolean;
        };
        ListField: {
            /**
             * @description The label of the button that opens it
             * @example Choose a time
             */
            button: string;
            sections: components["schemas"]["ListSectionField"][];
        };
        ListPart: {
            /** @example Choose a time */
            button: string;
            sections: components["schemas"]["ListSectionPart"][];
        };
        ListRowField: {
            /**
             * @description Comes back in `interactive.id` when the row is picked; unique in the list
             * @example morning
             */
            id: string;
            /** @example In the morning */
            title: string;
            /** @example 8 to 12 */
            description?: string | null;
        };
        ListRowPart: {
            /** @example morning */
            id: string;
            /** @example In the morning */
            title: string;
            /** @example 8 to 12 */
            description?: string;
        };
        ListSectionField: {
            /**
             * @description Required if the list has several sections
             * @example Tomorrow
             */
            title?: string | null;
            /** @description At most 10 in all sections together */
            rows: components["schemas"]["ListRowField"][];
        };
        ListSectionPart: {
            /** @example Tomorrow */
            title?: string;
            rows: components["schemas"]["ListRowPart"][];
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
        LocationPart: {
            /** @example 52.520008 */
            latitude: number;
            /** @example 13.404954 */
            longitude: number;
            /** @example Warehouse North */
            name?: string;
            /** @example Example Street 1, Berlin */
            address?: string;
            /** @example https://example.com/warehouse */
            url?: string;
        };
        MarkReadRequest: {
            /**
             * @description Whether the contact sees that you are typing: until your answer comes, or for 25 seconds
             * @default false
             * @example true
             */
            typing?: boolean | null;
            /**
             * Format: uuid
             * @description Default: the business phone that the contact wrote to last
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
        };
        MarkReadResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Conversation marked as read */
            message: string;
            /**
             * Format: uuid
             * @description The newest message of the contact
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string;
        };
        MediaPart: {
            /**
             * @description As the network says
             * @example image/jpeg
             */
            mime_type: string | null;
            /**
             * @description Documents only
             * @example null
             */
            filename: string | null;
            /**
             * @description Bytes; null until it is stored
             * @example 48213
             */
            size: number | null;
            /**
             * @description In lower-case hex
             * @example null
             */
            sha256: string | null;
            /**
             * @description Whether it was recorded in the chat: a voice message
             * @example false
             */
            voice: boolean;
            /**
             * @description Whether a sticker moves
             * @example false
             */
            animated: boolean;
            /**
             * @description `pending` until it is fetched; `gone` when the network or Parley no longer has it, and for a file that was sent by `media_url`
             * @enum {string}
             */
            status: "pending" | "stored" | "gone" | "too_large" | "refused";
            /**
             * @description The path of the API that serves it; absent with `link`
             * @example /api/v1/messages/019c1363-49c0-721a-9dfd-5d80a9a39e72/media
             */
            url?: string;
            /**
             * @description The `media_url` that it was sent by, instead of `url`: Parley keeps no copy of such a file
             * @example https://example.com/invoice-4711.pdf
             */
            link?: string;
            /**
             * Format: uuid
             * @description Of the upload that it was sent by
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string;
        };
        MessageButtons: {
            /** @enum {string} */
            type: "reply" | "cta_url";
            reply_buttons?: components["schemas"]["ReplyButton"][] | null;
            url_button?: components["schemas"]["UrlButton"] | null;
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
                /**
                 * @description As the send gave it; absent if it gave none
                 * @example order-4711
                 */
                reference?: string;
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
        MessageEditedEvent: {
            /** @enum {string} */
            event: "message.edited";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            message: components["schemas"]["MessageRecord"];
            /**
             * @description The fields of the record that have changed
             * @example [
             *       "content",
             *       "edited_at"
             *     ]
             */
            changed: string[];
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
                /**
                 * @description As the send gave it; absent if it gave none
                 * @example order-4711
                 */
                reference?: string;
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
             * @description Matching rows on all pages, at most 10,000
             * @example 2
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            /**
             * @description Present if more rows may match than `total` says
             * @enum {boolean}
             */
            total_is_capped?: true;
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
                /**
                 * @description As the send gave it; absent if it gave none
                 * @example order-4711
                 */
                reference?: string;
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
                media?: components["schemas"]["MediaPart"];
                location?: components["schemas"]["LocationPart"];
                /**
                 * @description Contact cards, in the network’s shape
                 * @example [
                 *       {
                 *         "name": {
                 *           "formatted_name": "Casey Example"
                 *         },
                 *         "phones": [
                 *           {
                 *             "phone": "+1 555 999 0100",
                 *             "wa_id": "15559990100"
                 *           }
                 *         ]
                 *       }
                 *     ]
                 */
                contacts?: {
                    [key: string]: unknown;
                }[];
                /**
                 * @description An order from a catalogue, in the network’s shape: `catalog_id`, `text`, `product_items`
                 * @example {
                 *       "catalog_id": "1234567890",
                 *       "text": "As a gift, please",
                 *       "product_items": [
                 *         {
                 *           "product_retailer_id": "mug-blue",
                 *           "quantity": 2,
                 *           "item_price": 9.5,
                 *           "currency": "EUR"
                 *         }
                 *       ]
                 *     }
                 */
                order?: {
                    [key: string]: unknown;
                };
                interactive?: components["schemas"]["InteractivePart"];
                reaction?: components["schemas"]["ReactionPart"];
                context?: components["schemas"]["ContextPart"];
                /**
                 * @description The advertisement or post that the contact came from, in the network’s shape, with `ctwa_clid`
                 * @example {
                 *       "source_type": "ad",
                 *       "source_id": "120210000000000001",
                 *       "source_url": "https://fb.example/spring",
                 *       "ctwa_clid": "ARAkLkA8rmlFeiCktEJQ"
                 *     }
                 */
                referral?: {
                    [key: string]: unknown;
                };
                /**
                 * @description The message as it arrived; only if nothing else above says what is in it
                 * @example {
                 *       "type": "hologram",
                 *       "hologram": {
                 *         "id": "1"
                 *       }
                 *     }
                 */
                raw?: {
                    [key: string]: unknown;
                };
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
                 * @description What a person reads; empty for a file without a caption
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
            media?: components["schemas"]["MediaPart"];
            location?: components["schemas"]["LocationPart"];
            /**
             * @description Contact cards, in the network’s shape
             * @example [
             *       {
             *         "name": {
             *           "formatted_name": "Casey Example"
             *         },
             *         "phones": [
             *           {
             *             "phone": "+1 555 999 0100",
             *             "wa_id": "15559990100"
             *           }
             *         ]
             *       }
             *     ]
             */
            contacts?: {
                [key: string]: unknown;
            }[];
            /**
             * @description An order from a catalogue, in the network’s shape: `catalog_id`, `text`, `product_items`
             * @example {
             *       "catalog_id": "1234567890",
             *       "text": "As a gift, please",
             *       "product_items": [
             *         {
             *           "product_retailer_id": "mug-blue",
             *           "quantity": 2,
             *           "item_price": 9.5,
             *           "currency": "EUR"
             *         }
             *       ]
             *     }
             */
            order?: {
                [key: string]: unknown;
            };
            interactive?: components["schemas"]["InteractivePart"];
            reaction?: components["schemas"]["ReactionPart"];
            context?: components["schemas"]["ContextPart"];
            /**
             * @description The advertisement or post that the contact came from, in the network’s shape, with `ctwa_clid`
             * @example {
             *       "source_type": "ad",
             *       "source_id": "120210000000000001",
             *       "source_url": "https://fb.example/spring",
             *       "ctwa_clid": "ARAkLkA8rmlFeiCktEJQ"
             *     }
             */
            referral?: {
                [key: string]: unknown;
            };
            /**
             * @description The message as it arrived; only if nothing else above says what is in it
             * @example {
             *       "type": "hologram",
             *       "hologram": {
             *         "id": "1"
             *       }
             *     }
             */
            raw?: {
                [key: string]: unknown;
            };
            /** @description The buttons that were sent below a text */
            buttons?: components["schemas"]["ButtonsPart"];
            /** @description The menu that was sent below a text */
            list?: components["schemas"]["ListPart"];
            /**
             * Format: uuid
             * @description The message that a message of yours quotes; what a contact quotes is in `context`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            reply_to?: string;
            /**
             * @description Present if the text shows a preview of its first link
             * @example true
             */
            preview_url?: boolean;
            /** @description A sent template with its values, as in a preview; absent when Parley no longer knows, as for single messages that were sent before it stored this */
            rendered?: components["schemas"]["RenderedPart"];
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string;
            /** @enum {string} */
            direction: "in" | "out";
            /**
             * Format: uuid
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
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
             * @example 019c1363-49c0-7642-9fe5-1e78f53e031a
             */
            waba_phone_id: string;
            /** @example template */
            message_type: string;
            /**
             * @description The text as the recipient reads it; a one-time code is shown as `•`
             * @example Hello from the test
             */
            content: string;
            /** @description The emojis that are on the message now, one of each side at most, the latest first */
            reactions: components["schemas"]["ReactionField"][];
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
             * @example sent
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
            /**
             * Format: date-time
             * @description Since when the network holds the message back to check its quality; absent unless it does
             * @example 2026-01-31T09:30:00.000Z
             */
            held_since?: string;
            timeline: components["schemas"]["TimelineEntry"][];
            /**
             * Format: date-time
             * @description Of a received message, when it was sent
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last edited; absent if never
             * @example 2026-01-31T09:30:00.000Z
             */
            edited_at?: string;
            /**
             * Format: date-time
             * @description When its sender deleted it, or took the reaction back; absent if never. Nothing of it is left
             * @example 2026-01-31T09:30:00.000Z
             */
            revoked_at?: string;
            /** @description Who wrote it; absent for received messages, and for sends that named no agent */
            sent_by?: components["schemas"]["SentByField"];
            /**
             * @description Your own name of the message; absent if the send gave none
             * @example order-4711
             */
            reference?: string;
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
                 * @description As the send gave it; absent if it gave none
                 * @example order-4711
                 */
                reference?: string;
                /**
                 * @description UTC, without an offset: `2026-01-31T09:30:00.000`
                 * @example 2026-01-31T09:30:00.000
                 */
                sent_at: string;
            };
            reply: {
                media?: components["schemas"]["MediaPart"];
                location?: components["schemas"]["LocationPart"];
                /**
                 * @description Contact cards, in the network’s shape
                 * @example [
                 *       {
                 *         "name": {
                 *           "formatted_name": "Casey Example"
                 *         },
                 *         "phones": [
                 *           {
                 *             "phone": "+1 555 999 0100",
                 *             "wa_id": "15559990100"
                 *           }
                 *         ]
                 *       }
                 *     ]
                 */
                contacts?: {
                    [key: string]: unknown;
                }[];
                /**
                 * @description An order from a catalogue, in the network’s shape: `catalog_id`, `text`, `product_items`
                 * @example {
                 *       "catalog_id": "1234567890",
                 *       "text": "As a gift, please",
                 *       "product_items": [
                 *         {
                 *           "product_retailer_id": "mug-blue",
                 *           "quantity": 2,
                 *           "item_price": 9.5,
                 *           "currency": "EUR"
                 *         }
                 *       ]
                 *     }
                 */
                order?: {
                    [key: string]: unknown;
                };
                interactive?: components["schemas"]["InteractivePart"];
                reaction?: components["schemas"]["ReactionPart"];
                context?: components["schemas"]["ContextPart"];
                /**
                 * @description The advertisement or post that the contact came from, in the network’s shape, with `ctwa_clid`
                 * @example {
                 *       "source_type": "ad",
                 *       "source_id": "120210000000000001",
                 *       "source_url": "https://fb.example/spring",
                 *       "ctwa_clid": "ARAkLkA8rmlFeiCktEJQ"
                 *     }
                 */
                referral?: {
                    [key: string]: unknown;
                };
                /**
                 * @description The message as it arrived; only if nothing else above says what is in it
                 * @example {
                 *       "type": "hologram",
                 *       "hologram": {
                 *         "id": "1"
                 *       }
                 *     }
                 */
                raw?: {
                    [key: string]: unknown;
                };
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
                 * @description What a person reads; empty for a file without a caption
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
            };
        };
        MessageResponse: {
            /** @enum {string} */
            status: "success";
            message_record: components["schemas"]["MessageRecord"];
        };
        MessageRevokedEvent: {
            /** @enum {string} */
            event: "message.revoked";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            message: components["schemas"]["MessageRecord"];
            /**
             * @description The fields of the record that have changed
             * @example [
             *       "content",
             *       "revoked_at"
             *     ]
             */
            changed: string[];
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
                /**
                 * @description As the send gave it; absent if it gave none
                 * @example order-4711
                 */
                reference?: string;
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
             *     - `media_gone`: The file of a message is not stored (any more): the network no longer had it, it was too large or not what the network announced, its time is over, or it was sent by `media_url`. `message` says why.
             * @enum {string}
             */
            error: "not_found" | "media_gone";
            /**
             * @description For people: names the field, the limit and the value found
             * @example no contact 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message: string;
        };
        NoteRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example Wants to be called back after 5 p.m. */
            text: string;
            by: components["schemas"]["EntryActorField"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000+00:00
             */
            at: string;
        };
        NoteResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Note added to the conversation with 4915112345678 */
            message: string;
            note: components["schemas"]["NoteRecord"];
        };
        PacedCampaignRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            campaign_id: string;
            /** @example Autumn */
            name: string;
            /** @enum {string} */
            campaign_status: "draft" | "scheduled" | "running" | "completed" | "cancelled" | "failed";
            /** @example 1 */
            total_contacts: number;
            /**
             * @description Recipients whose latest message the network accepted
             * @example 0
             */
            sent_count: number;
            /**
             * @description Recipients to whose device it was delivered
             * @example 0
             */
            delivered_count: number;
            /**
             * @description Recipients who read it
             * @example 0
             */
            read_count: number;
            /**
             * @description Recipients who tapped a button
             * @example 0
             */
            clicked_count: number;
            /**
             * @description Recipients whose latest message failed at any stage
             * @example 0
             */
            failed_count: number;
            /**
             * @description Recipients who replied
             * @example 0
             */
            replied_count: number;
            /**
             * @description `total_contacts` minus `failed_count`
             * @example 1
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
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            waba_phone_id: string;
            /**
             * @description A one-time code is shown as `•`
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
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id: string | null;
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
            /**
             * @description 0: it never pauses itself
             * @example 50
             */
            max_failure_percent: number;
            /**
             * @description Accepted and counted in `sent_count`, but held back by the network to check the quality
             * @example 0
             */
            held_count: number;
            /**
             * @description When the next recipient that waits may be sent to; null if none waits, or nobody can say when
             * @example 2026-01-31T09:30:00.000Z
             */
            waiting_until: string | null;
            /**
             * @description What that recipient waits for, while the others are sent to: for the end of a restriction of the business phone, for `send_window`, or for the messaging limit of the portfolio. `phone` and `network`: the whole campaign waits. Null if none waits
             * @example send_window
             * @enum {string|null}
             */
            waiting_reason: "phone" | "network" | "restriction" | "send_window" | "messaging_limit" | null;
            /**
             * @description Whether the campaign is running but paused
             * @example false
             */
            paused: boolean;
            /**
             * Format: date-time
             * @description Null unless it is paused
             * @example 2026-01-31T09:30:00.000Z
             */
            paused_at: string | null;
            /** @description Null unless it is paused, and if it paused itself: then `failure_reason` says why */
            paused_by: components["schemas"]["CampaignActorField"] | null;
            /**
             * @description Why the campaign stopped, and what to do
             * @example the template was paused by the network; resume the campaign when it is active again
             */
            failure_reason: string | null;
            /** @description Null for campaigns of earlier releases */
            created_by: components["schemas"]["CampaignActorField"] | null;
            /** @description Null until it is started, and for campaigns of earlier releases */
            started_by: components["schemas"]["CampaignActorField"] | null;
            /**
             * @description The groups of `group_ids`, as they were called then
             * @example [
             *       "Regulars"
             *     ]
             */
            group_names: string[];
            /** @description Null for campaigns of earlier releases */
            left_out: components["schemas"]["LeftOutField"] | null;
            /**
             * @description Messages that the network accepted per second, over the last ten. Null unless it is running
             * @example 19.8
             */
            rate_per_second: number | null;
            /**
             * @description Until everybody was sent to, at this rate. Null unless it is sending
             * @example 42
             */
            seconds_left: number | null;
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
        PhoneHealthResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Whether no check has failed
             * @example true
             */
            connected: boolean;
            /** @description In the order in which to mend them */
            checks: components["schemas"]["CheckField"][];
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
             * @description Variables without a value stay as they are; a one-time code is shown as `•`
             * @example Hello from the test
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
            /**
             * @description Parts that are not shown and that no send can fill in, as in the template; absent when there are none
             * @example [
             *       "BUTTON:MPM"
             *     ]
             */
            unsupported?: string[];
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
             * @description Required if the header is IMAGE, VIDEO or DOCUMENT, unless `media_id` is given; served under the Content-Type of an accepted format
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /**
             * @description For documents; default: the last part of the path of `media_url` or the name of the upload, or `document` and the extension of its type
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
        ProgressBucketRecord: {
            /**
             * Format: date-time
             * @description When the interval begins: a multiple of `bucket_seconds`, in UTC
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description Messages that the network accepted in it
             * @example 80
             */
            accepted: number;
        };
        /**
         * @description The file ends before the part that `Range` asks for
         * @example {
         *       "error": "range_not_satisfiable",
         *       "message": "The `Range` header asks for bytes beyond the end of the file; `Content-Range` has its size."
         *     }
         */
        RangeNotSatisfiableError: {
            /**
             * @description - `range_not_satisfiable`: The `Range` header asks for bytes beyond the end of the file; `Content-Range` has its size.
             * @enum {string}
             */
            error: "range_not_satisfiable";
            /**
             * @description For people: names the field, the limit and the value found
             * @example Range asks for bytes=90000-; the file has 48213 bytes
             */
            message: string;
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
        ReactionField: {
            /** @example 👍 */
            emoji: string;
            /** @enum {string} */
            by: "contact" | "business";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        ReactionPart: {
            /**
             * Format: uuid
             * @description Null for one that Parley does not know
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string | null;
            /**
             * @description Only if `message_id` is null
             * @example wamid.HBgLMTU1NTk5OTAxMDA
             */
            network_message_id?: string;
            /**
             * @description Empty in a message of yours that takes your reaction back
             * @example 👍
             */
            emoji: string;
        };
        RecentDeliveriesRecord: {
            /**
             * @description Among the newest 1,000
             * @example 0
             */
            delivered: number;
            /**
             * @description Among the newest 1,000
             * @example 0
             */
            failed: number;
            /**
             * @description Among the newest 1,000
             * @example 0
             */
            pending: number;
            /**
             * @description Delivered as a share of delivered and failed, 0 to 1; null if there are none
             * @example 0.998
             */
            success_rate: number | null;
            /**
             * @description Milliseconds by which the most overdue delivery is late; 0 if none is due
             * @example 86425959
             */
            lag_ms: number;
        };
        RecipientCountsField: {
            /** @example 3 */
            pending: number;
            /** @example 2 */
            accepted: number;
            /** @example 48 */
            sent: number;
            /** @example 990 */
            delivered: number;
            /** @example 610 */
            read: number;
            /** @example 120 */
            clicked: number;
            /** @example 10 */
            failed: number;
            /** @example 0 */
            cancelled: number;
        };
        RecipientListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            recipients: components["schemas"]["RecipientRecord"][];
            /** @description How many recipients have each status: all, or those that `search` finds, whatever else is filtered by. Null with `cursor` */
            counts: components["schemas"]["RecipientCountsField"] | null;
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
             * @example 0
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
             * @description Whether `retry-failed` without a body would send to this recipient again. Never true for AUTHENTICATION templates: one-time codes are not kept
             * @example false
             */
            retryable: boolean;
            /**
             * Format: date-time
             * @description When the network accepted the latest message, also if it failed it later
             * @example 2026-01-31T09:30:00.000Z
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description A later step implies an earlier one that was not reported, and gives it its time
             * @example 2026-01-31T09:30:00.000Z
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @description When a button of the latest message was tapped
             * @example 2026-01-31T09:30:00.000Z
             */
            clicked_at: string | null;
            /**
             * Format: date-time
             * @description When they first replied to the campaign; null also for replies before Parley noted the time
             * @example 2026-01-31T09:30:00.000Z
             */
            replied_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        RemovedPhoneResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Business phone removed */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id: string;
        };
        RenderedPart: {
            /**
             * @description Text, media URL or location of the header
             * @example Order 4711
             */
            header: string | null;
            /**
             * @description A one-time code is shown as `•`
             * @example Your order is on its way.
             */
            body: string;
            /** @example null */
            footer: string | null;
            buttons: components["schemas"]["PreviewButton"][];
        };
        ReplayRecord: {
            /** @enum {string} */
            status: "running" | "finished" | "cancelled";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            since: string;
            /**
             * @example [
             *       "message.sent",
             *       "message.delivered",
             *       "message.read",
             *       "message.failed",
             *       "button.clicked",
             *       "message.received",
             *       "message.reply",
             *       "conversation.assigned",
             *       "conversation.unassigned",
             *       "conversation.resolved",
             *       "conversation.reopened"
             *     ]
             */
            events: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "*")[];
            /**
             * @description Number of deliveries created so far
             * @example 0
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
             * @description Empty or absent: the events that the endpoint is subscribed to
             * @example [
             *       "message.failed"
             *     ]
             */
            events?: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "*")[] | null;
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
         * @description The request did not arrive in time; the connection is closed
         * @example {
         *       "error": "request_timeout",
         *       "message": "The request, or its body, did not arrive in time; the connection is closed."
         *     }
         */
        RequestTimeoutError: {
            /**
             * @description - `request_timeout`: The request, or its body, did not arrive in time; the connection is closed.
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
             * @description Included in the event and in the timeline
             * @example Answered
             */
            reason?: string | null;
        };
        RestrictionField: {
            /**
             * @description Under `RESTRICTED_BIZ_INITIATED_MESSAGING` only contacts with an open service window get templates, under `RESTRICTED_CUSTOMER_INITIATED_MESSAGING` nobody gets replies, under `RESTRICTED_UTILITY_TEMPLATES` and `RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING` nobody gets UTILITY templates. `SCHEDULE_FOR_DISABLE` only announces; under the others nothing can be sent
             * @enum {string}
             */
            type: "DISABLE" | "ACCOUNT_DELETED" | "ACCOUNT_OFFBOARDED" | "PARTNER_APP_UNINSTALLED" | "PARTNER_REMOVED" | "RESTRICTED_BIZ_INITIATED_MESSAGING" | "RESTRICTED_CUSTOMER_INITIATED_MESSAGING" | "RESTRICTED_UTILITY_TEMPLATES" | "RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING" | "SCHEDULE_FOR_DISABLE";
            /**
             * @description What it means, with what the network said about it
             * @example the network refuses templates to contacts without an open service window
             */
            reason: string;
            /**
             * Format: date-time
             * @description When it ends by itself; null if only the network can lift it
             * @example 2026-01-31T09:30:00.000Z
             */
            until: string | null;
        };
        RetryFailedRequest: {
            /**
             * @description `marketing_cap`: also recipients that failed with 131049, once each and not before 24 hours have passed
             * @example [
             *       "marketing_cap"
             *     ]
             */
            include?: "marketing_cap"[] | null;
            /**
             * @description Only recipients that failed with one of these codes. Default: all that can be retried
             * @example [
             *       131000
             *     ]
             */
            error_codes?: number[] | null;
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
        RowWarningRecord: {
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
            /** @example opted_in stays false: the contact opted out on 2026-01-31T09:30:00.000Z */
            warning: string;
        };
        SavedRepliesResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
            /** @example 20 */
            limit: number;
            saved_replies: components["schemas"]["SavedReplyRecord"][];
        };
        SavedReplyDeletedResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Saved reply deleted */
            message: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            saved_reply_id: string;
        };
        SavedReplyFoundResponse: {
            /** @enum {string} */
            status: "success";
            saved_reply: components["schemas"]["SavedReplyRecord"];
        };
        SavedReplyRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example Reply of Lorenzen */
            name: string;
            /**
             * @description With its variables, which whoever inserts it replaces by fields of the contact
             * @example Hello
             */
            text: string;
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
        SavedReplyResponse: {
            /** @enum {string} */
            status: "success";
            /** @example Saved reply created */
            message: string;
            saved_reply: components["schemas"]["SavedReplyRecord"];
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
             * @example campaign.dispatch.v1:019c1363-49c0-7680-92b3-4d37d5120a7f
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
            message_type: "text" | "image" | "video" | "audio" | "document" | "sticker" | "list" | "location" | "location_request" | "contacts" | "reaction";
            /**
             * @description Required for text, list and location_request; at most 1,024 characters with buttons and for location_request
             * @example Your parcel is on its way.
             */
            message?: string | null;
            /**
             * @description Required for media, stickers included, unless `media_id` is given: a publicly accessible URL, served under the Content-Type of an accepted format
             * @example https://example.com/parcel.jpg
             */
            media_url?: string | null;
            /**
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /**
             * @description Image, video and document only
             * @example Left at your door
             */
            caption?: string | null;
            /**
             * @description Document only; default: the last part of the path of `media_url` or the name of the upload, or `document` and the extension of its type
             * @example invoice.pdf
             */
            filename?: string | null;
            /**
             * Format: uuid
             * @description Default: the account’s primary number
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            waba_phone_id?: string | null;
            /** @description Text only */
            buttons?: components["schemas"]["MessageButtons"] | null;
            /**
             * @description Text without buttons only: shows a preview of the first link in it
             * @default false
             * @example true
             */
            preview_url?: boolean | null;
            /**
             * @description Audio only: sends an OGG file as a voice message
             * @default false
             * @example true
             */
            voice?: boolean | null;
            /** @description Required for list: a menu below `message`, from which the contact picks one row */
            list?: components["schemas"]["ListField"] | null;
            /** @description Required for location */
            location?: components["schemas"]["LocationField"] | null;
            /** @description Required for contacts: contact cards, in the network’s shape */
            contacts?: components["schemas"]["ContactCardField"][] | null;
            /** @description Required for reaction: an emoji on a message */
            reaction?: components["schemas"]["SentReactionField"] | null;
            /**
             * Format: uuid
             * @description A message of the conversation of the last 30 days, of either side, that this one quotes
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            reply_to?: string | null;
            /**
             * Format: uuid
             * @description The `user_id` of the active agent who wrote it; the record shows them in `sent_by`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            agent_user_id?: string | null;
            /**
             * @description Your own name of the message: on its record, and in events about it and its answers
             * @example order-4711
             */
            reference?: string | null;
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
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
             */
            contact_id: string;
            /** @enum {string} */
            message_type: "text" | "image" | "video" | "audio" | "document" | "sticker" | "list" | "location" | "location_request" | "contacts" | "reaction";
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
             * @description Required if the header is IMAGE, VIDEO or DOCUMENT, unless `media_id` is given; served under the Content-Type of an accepted format
             * @example https://example.com/spring.jpg
             */
            media_url?: string | null;
            /**
             * Format: uuid
             * @description Instead of `media_url`: the id of a file from `POST /api/v1/media`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            media_id?: string | null;
            /**
             * @description For documents; default: the last part of the path of `media_url` or the name of the upload, or `document` and the extension of its type
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
            /**
             * Format: uuid
             * @description A message of the conversation of the last 30 days, of either side, that this one quotes
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            reply_to?: string | null;
            /**
             * Format: uuid
             * @description The `user_id` of the active agent who wrote it; the record shows them in `sent_by`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            agent_user_id?: string | null;
            /**
             * @description Your own name of the message: on its record, and in events about it and its answers
             * @example order-4711
             */
            reference?: string | null;
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
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
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
            timezone?: string | null;
        };
        SentByField: {
            /**
             * @description The agent; null for the phone app
             * @example null
             */
            user_id: string | null;
            /** @example null */
            name: string | null;
            /**
             * @description `api`: with this API, for an agent; `manual`: the agent, in the console; `phone_app`: with the app of the network, on the business phone
             * @enum {string}
             */
            source: "api" | "manual" | "phone_app";
        };
        SentReactionField: {
            /**
             * Format: uuid
             * @description A message of the conversation of the last 30 days, of either side
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            message_id: string;
            /**
             * @description One emoji; empty: takes the reaction back
             * @example 👍
             */
            emoji: string;
        };
        SentReplyButton: {
            /**
             * @description Comes back in `button.clicked`
             * @example yes
             */
            id: string;
            /** @example Yes, please */
            title: string;
        };
        SentUrlButton: {
            /** @example Track it */
            display_text: string;
            /** @example https://example.com/orders/4711 */
            url: string;
        };
        SessionRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            session_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Of the last request, up to a few seconds late
             * @example 2026-01-31T09:30:00.000Z
             */
            seen_at: string;
            /** @example 192.0.2.7 */
            address: string | null;
            /**
             * @description The `User-Agent` that signed in
             * @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
             */
            device: string | null;
            /**
             * @description Whether it is the one that asks
             * @example true
             */
            is_current: boolean;
        };
        SessionResponse: {
            /** @enum {string} */
            status: "success";
            user?: components["schemas"]["SignedInUser"];
            /** @description Oldest first */
            accounts?: components["schemas"]["EnterableAccount"][];
            /**
             * @description What the role allows in each of the accounts
             * @example [
             *       "campaigns:read",
             *       "contacts:read"
             *     ]
             */
            scopes?: string[];
            /**
             * @description Whether a password has to be chosen before anything else, after a link
             * @example false
             */
            must_set_password?: boolean;
            /** @description Instead of the rest and without a cookie: the password fits in several of them */
            organisations?: components["schemas"]["ChoosableOrganisation"][];
        };
        SessionsResponse: {
            /** @enum {string} */
            status: "success";
            /** @description At most 100, the latest seen first */
            sessions: components["schemas"]["SessionRecord"][];
        };
        SignInRequest: {
            /**
             * @description Case makes no difference
             * @example olive@shop.example
             */
            email?: string | null;
            /** @example correct horse battery */
            password?: string | null;
            /**
             * Format: uuid
             * @description One of the `organisations` of an answer without a session
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            organisation_id?: string | null;
            /**
             * @description The part of a sign-in link behind `#`, instead of the other fields
             * @example l8LrVhyHhXJ0hSD5jFyHIOtTPKgjVqXmXYcrPO4L3kI
             */
            link?: string | null;
        };
        SignedInUser: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            user_id: string;
            /** @example Ben Agent */
            full_name: string;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "manager" | "agent";
        };
        SuccessResponse: {
            /** @enum {string} */
            status: "success";
        };
        SyncSummaryRecord: {
            /**
             * @description Templates on the network
             * @example 3
             */
            total_meta_templates: number;
            /**
             * @description created + updated + skipped
             * @example 3
             */
            synced: number;
            /** @example 0 */
            created: number;
            /** @example 0 */
            updated: number;
            /**
             * @description Unchanged
             * @example 3
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
             * @example Our offers for you, {{1}}.
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
            } | null;
        };
        TemplateButtonField: {
            /** @enum {string} */
            type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER" | "COPY_CODE" | "FLOW";
            /** @example Tell me more */
            text?: string | null;
            /**
             * @description For URL; percent-encoded; may end with {{1}}
             * @example https://example.com/webhooks
             */
            url?: string | null;
            /** @example https://example.com/orders/4711 */
            url_example?: string | null;
            /**
             * @description For PHONE_NUMBER
             * @example 4915123456789
             */
            phone_number?: string | null;
            /**
             * @description For COPY_CODE, unless offer_code is set
             * @example SPRING20
             */
            copy_code_example?: string | null;
            /**
             * @description For FLOW
             * @example 1234567890123456
             */
            flow_id?: string | null;
            /**
             * @default navigate
             * @enum {string|null}
             */
            flow_action?: "navigate" | "data_exchange" | null;
            /** @example WELCOME */
            navigate_screen?: string | null;
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
             * @example Track your order
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
            text?: string | null;
            /**
             * @description One example value per header variable
             * @example {
             *       "1": "Ada"
             *     }
             */
            text_example?: {
                [key: string]: string;
            } | null;
        };
        TemplateListResponse: {
            /** @enum {string} */
            status: "success";
            /**
             * @description Matching rows on all pages
             * @example 1
             */
            total: number;
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            templates: components["schemas"]["TemplateRecord"][];
        };
        TemplateRecord: {
            /**
             * Format: uuid
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /** @example order_update */
            name: string;
            /**
             * @description The category in force. The network may change it, also while the template is approved
             * @enum {string}
             */
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
            /** @example Hello from the test */
            body: string;
            /** @example Analytical Engines */
            footer: string | null;
            buttons: components["schemas"]["TemplateButtonRecord"][];
            /**
             * @description Whether sends need a media_url
             * @example false
             */
            requires_media: boolean;
            /** @example 0 */
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
            /**
             * @description The parts that Parley cannot fill in, so that sends and campaigns with the template are a 400; absent when there are none. A kind (`BUTTON:MPM`, `CARD_HEADER:PRODUCT`, `COMPONENT:CALL_PERMISSION_REQUEST`) or a variable (`CARD_BODY:{{1}}`)
             * @example [
             *       "BUTTON:MPM",
             *       "HEADER:GIF"
             *     ]
             */
            unsupported?: string[];
            /** @example 1795874122383000 */
            meta_template_id: string;
            /**
             * Format: uuid
             * @example 019c1363-49c0-7dfa-9508-c296aabc444f
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
            /** @example pending */
            status: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        TimelineEntryRecord: {
            /** @enum {string} */
            type: "message" | "note" | "change";
            /**
             * Format: date-time
             * @description Of a received message, when it was sent
             * @example 2026-01-31T09:30:00.000+00:00
             */
            at: string;
            /** @description Only of type `message` */
            message?: components["schemas"]["MessageRecord"];
            /** @description Only of type `note` */
            note?: components["schemas"]["NoteRecord"];
            /** @description Only of type `change` */
            change?: components["schemas"]["ChangeRecord"];
        };
        TimelineResponse: {
            /** @enum {string} */
            status: "success";
            /** @description Newest first */
            entries: components["schemas"]["TimelineEntryRecord"][];
            /**
             * @description The `before` of the next older page; null at the beginning
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_before: string | null;
            /**
             * @description The `after` of the next newer page; null at the end
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_after: string | null;
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
         *       "message": "The route does not accept the content type of the request body, or the body is compressed or not in UTF-8."
         *     }
         */
        UnsupportedMediaTypeError: {
            /**
             * @description - `unsupported_media_type`: The route does not accept the content type of the request body, or the body is compressed or not in UTF-8.
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
             *       "vip",
             *       "berlin"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Whether the contact may be sent MARKETING templates; true also lifts an opt-out by the contact itself
             * @example true
             */
            opted_in?: boolean;
        };
        UpdateGroupRequest: {
            /** @example Customers in Potsdam */
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
        UpdateSavedReplyRequest: {
            /** @example Parcel on its way */
            name?: string;
            /**
             * @description May have the variables `{{first_name}}`, `{{last_name}}`, `{{phone_number}}`, `{{email}}` and `{{company}}`, which whoever inserts the text replaces
             * @example Hello {{first_name}}, your parcel left us this morning.
             */
            text?: string;
        };
        UpdateWebhookRequest: {
            /**
             * @description A public https URL; its canonical spelling is kept, of at most 2,048 bytes
             * @example https://example.com/webhooks
             */
            url?: string | null;
            /**
             * @description Replaces the secret immediately, without the overlap of a rotation. Null: deliveries are not signed
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string | null;
            /**
             * @description Empty or absent: the eleven events of messages, buttons and conversations. Other events reach only endpoints that name them, or `*`: every event, also those added later, for which the key needs the scope `*`
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            subscribed_events?: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "*")[] | null;
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
            /**
             * @description Replaces all headers. Null or an empty object: none. Needed again with a `url` of another origin
             * @example {
             *       "authorization": "Bearer 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d"
             *     }
             */
            headers?: {
                [key: string]: string;
            } | null;
        };
        UploadRecord: {
            /**
             * Format: uuid
             * @description What sends and templates take as `media_id`
             * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
             */
            id: string;
            /**
             * @example image/jpeg
             * @enum {string}
             */
            mime_type: "image/jpeg" | "image/png" | "video/mp4" | "audio/aac" | "audio/mpeg" | "audio/mp4" | "audio/amr" | "audio/ogg" | "application/pdf" | "application/msword" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "application/vnd.ms-powerpoint" | "application/vnd.openxmlformats-officedocument.presentationml.presentation" | "text/plain" | "image/webp";
            /**
             * @description Bytes
             * @example 15
             */
            size: number;
            /**
             * Format: date-time
             * @description From then on only campaigns that use the file already can send it
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string;
        };
        UploadResponse: {
            /** @enum {string} */
            status: "success";
            /** @example File uploaded */
            message: string;
            media: components["schemas"]["UploadRecord"];
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
        WebhookDisabledEvent: {
            /** @enum {string} */
            event: "webhook.disabled";
            /**
             * @description UTC, without an offset: `2026-01-31T09:30:00.000`
             * @example 2026-01-31T09:30:00.000
             */
            timestamp: string;
            webhook: components["schemas"]["WebhookRecord"];
            /**
             * @description The fields of the record that have changed
             * @example [
             *       "status",
             *       "disabled_reason"
             *     ]
             */
            changed: string[];
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
             * @description True if another webhook already had this URL in a different spelling; absent otherwise
             * @example true
             */
            is_duplicate?: boolean;
            /**
             * @example [
             *       "message.sent",
             *       "message.delivered",
             *       "message.read",
             *       "message.failed",
             *       "button.clicked",
             *       "message.received",
             *       "message.reply",
             *       "conversation.assigned",
             *       "conversation.unassigned",
             *       "conversation.resolved",
             *       "conversation.reopened"
             *     ]
             */
            subscribed_events: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "*")[];
            /** @example 3 */
            retry_count: number;
            /**
             * @description Seconds
             * @example 30
             */
            timeout: number;
            /** @enum {string} */
            status: "active" | "disabled";
            /** @example disabled by request */
            disabled_reason: string | null;
            /** @example false */
            has_secret: boolean;
            /**
             * @description The names of its own headers, in lower case; absent when it has none
             * @example [
             *       "authorization"
             *     ]
             */
            header_names?: string[];
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
            /**
             * @description Only with `cursor`: the `cursor` of the next page; null on the last one
             * @example bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg
             */
            next_cursor?: string | null;
            /**
             * @description Absent with `cursor`
             * @example 1
             */
            page?: number;
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description The request did not arrive in time; the connection is closed */
        PublicRequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description The request did not arrive in time; the connection is closed */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "Retry-After": components["headers"]["Retry-After"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
        /** @description Requests that the key may make in any 60 seconds */
        "RateLimit-Limit": number;
        /** @description Requests that the key may still make now */
        "RateLimit-Remaining": number;
        /** @description Seconds until the key may make more requests */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before trying again; absent when a repetition does not help */
        "Retry-After": number;
        /** @description Up to 20 fields of the body and query that the route does not read, such as misspelled ones: nested ones by their path (`send_window.days`, `buttons[0].icon`, `contacts[].foo`), names percent-encoded, a dot within one as `%2E`, separated by commas. Absent when there are none */
        "X-Ignored-Fields": string;
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
export type ButtonsPart = components['schemas']['ButtonsPart'];
export type CampaignActionResponse = components['schemas']['CampaignActionResponse'];
export type CampaignActorField = components['schemas']['CampaignActorField'];
export type CampaignContact = components['schemas']['CampaignContact'];
export type CampaignListResponse = components['schemas']['CampaignListResponse'];
export type CampaignProgressResponse = components['schemas']['CampaignProgressResponse'];
export type CampaignRecord = components['schemas']['CampaignRecord'];
export type CampaignResponse = components['schemas']['CampaignResponse'];
export type CampaignStatsResponse = components['schemas']['CampaignStatsResponse'];
export type CampaignStatusCounts = components['schemas']['CampaignStatusCounts'];
export type CardAddressField = components['schemas']['CardAddressField'];
export type CardEmailField = components['schemas']['CardEmailField'];
export type CardNameField = components['schemas']['CardNameField'];
export type CardOrganisationField = components['schemas']['CardOrganisationField'];
export type CardPhoneField = components['schemas']['CardPhoneField'];
export type CardUrlField = components['schemas']['CardUrlField'];
export type CarouselCardField = components['schemas']['CarouselCardField'];
export type CarouselCardRecord = components['schemas']['CarouselCardRecord'];
export type CarouselEntryField = components['schemas']['CarouselEntryField'];
export type ChangePasswordRequest = components['schemas']['ChangePasswordRequest'];
export type ChangePhoneRequest = components['schemas']['ChangePhoneRequest'];
export type ChangeRecord = components['schemas']['ChangeRecord'];
export type CheckField = components['schemas']['CheckField'];
export type ChoosableOrganisation = components['schemas']['ChoosableOrganisation'];
export type ConflictError = components['schemas']['ConflictError'];
export type ConnectPhoneRequest = components['schemas']['ConnectPhoneRequest'];
export type ConnectPhoneResponse = components['schemas']['ConnectPhoneResponse'];
export type ConsentDecisionRecord = components['schemas']['ConsentDecisionRecord'];
export type ConsentEvidenceRecord = components['schemas']['ConsentEvidenceRecord'];
export type ContactCardField = components['schemas']['ContactCardField'];
export type ContactConsentResponse = components['schemas']['ContactConsentResponse'];
export type ContactDeletedResponse = components['schemas']['ContactDeletedResponse'];
export type ContactExportResponse = components['schemas']['ContactExportResponse'];
export type ContactRecord = components['schemas']['ContactRecord'];
export type ContactResponse = components['schemas']['ContactResponse'];
export type ContactsResponse = components['schemas']['ContactsResponse'];
export type ContextPart = components['schemas']['ContextPart'];
export type ConversationActionResponse = components['schemas']['ConversationActionResponse'];
export type ConversationAssignedEvent = components['schemas']['ConversationAssignedEvent'];
export type ConversationChoiceRequest = components['schemas']['ConversationChoiceRequest'];
export type ConversationRecord = components['schemas']['ConversationRecord'];
export type ConversationReopenedEvent = components['schemas']['ConversationReopenedEvent'];
export type ConversationResolvedEvent = components['schemas']['ConversationResolvedEvent'];
export type ConversationResponse = components['schemas']['ConversationResponse'];
export type ConversationUnassignedEvent = components['schemas']['ConversationUnassignedEvent'];
export type ConversationsResponse = components['schemas']['ConversationsResponse'];
export type CreateApiKeyRequest = components['schemas']['CreateApiKeyRequest'];
export type CreateCampaignRequest = components['schemas']['CreateCampaignRequest'];
export type CreateCampaignResponse = components['schemas']['CreateCampaignResponse'];
export type CreateCarouselRequest = components['schemas']['CreateCarouselRequest'];
export type CreateContactRequest = components['schemas']['CreateContactRequest'];
export type CreateGroupRequest = components['schemas']['CreateGroupRequest'];
export type CreateNoteRequest = components['schemas']['CreateNoteRequest'];
export type CreateSavedReplyRequest = components['schemas']['CreateSavedReplyRequest'];
export type CreateTemplateRequest = components['schemas']['CreateTemplateRequest'];
export type CreateTemplateResponse = components['schemas']['CreateTemplateResponse'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type DeleteTemplateResponse = components['schemas']['DeleteTemplateResponse'];
export type DeliveriesResponse = components['schemas']['DeliveriesResponse'];
export type DeliveryActionResponse = components['schemas']['DeliveryActionResponse'];
export type DeliveryRecord = components['schemas']['DeliveryRecord'];
export type EnterableAccount = components['schemas']['EnterableAccount'];
export type EntryActorField = components['schemas']['EntryActorField'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type FailureListResponse = components['schemas']['FailureListResponse'];
export type FailureRecord = components['schemas']['FailureRecord'];
export type ForbiddenError = components['schemas']['ForbiddenError'];
export type GroupDeletedResponse = components['schemas']['GroupDeletedResponse'];
export type GroupFoundResponse = components['schemas']['GroupFoundResponse'];
export type GroupMembersRequest = components['schemas']['GroupMembersRequest'];
export type GroupMembersResponse = components['schemas']['GroupMembersResponse'];
export type GroupRecord = components['schemas']['GroupRecord'];
export type GroupResponse = components['schemas']['GroupResponse'];
export type GroupsResponse = components['schemas']['GroupsResponse'];
export type ImportResponse = components['schemas']['ImportResponse'];
export type InteractivePart = components['schemas']['InteractivePart'];
export type InternalErrorError = components['schemas']['InternalErrorError'];
export type IssuedApiKeyResponse = components['schemas']['IssuedApiKeyResponse'];
export type LeftOutField = components['schemas']['LeftOutField'];
export type LimitedTimeOfferField = components['schemas']['LimitedTimeOfferField'];
export type LimitedTimeOfferRecord = components['schemas']['LimitedTimeOfferRecord'];
export type ListField = components['schemas']['ListField'];
export type ListPart = components['schemas']['ListPart'];
export type ListRowField = components['schemas']['ListRowField'];
export type ListRowPart = components['schemas']['ListRowPart'];
export type ListSectionField = components['schemas']['ListSectionField'];
export type ListSectionPart = components['schemas']['ListSectionPart'];
export type LocationField = components['schemas']['LocationField'];
export type LocationPart = components['schemas']['LocationPart'];
export type MarkReadRequest = components['schemas']['MarkReadRequest'];
export type MarkReadResponse = components['schemas']['MarkReadResponse'];
export type MediaPart = components['schemas']['MediaPart'];
export type MessageButtons = components['schemas']['MessageButtons'];
export type MessageDeliveredEvent = components['schemas']['MessageDeliveredEvent'];
export type MessageEditedEvent = components['schemas']['MessageEditedEvent'];
export type MessageFailedEvent = components['schemas']['MessageFailedEvent'];
export type MessageListResponse = components['schemas']['MessageListResponse'];
export type MessagePricing = components['schemas']['MessagePricing'];
export type MessageReadEvent = components['schemas']['MessageReadEvent'];
export type MessageReceivedEvent = components['schemas']['MessageReceivedEvent'];
export type MessageRecord = components['schemas']['MessageRecord'];
export type MessageReplyEvent = components['schemas']['MessageReplyEvent'];
export type MessageResponse = components['schemas']['MessageResponse'];
export type MessageRevokedEvent = components['schemas']['MessageRevokedEvent'];
export type MessageSentEvent = components['schemas']['MessageSentEvent'];
export type NetworkTimeoutError = components['schemas']['NetworkTimeoutError'];
export type NotFoundError = components['schemas']['NotFoundError'];
export type NoteRecord = components['schemas']['NoteRecord'];
export type NoteResponse = components['schemas']['NoteResponse'];
export type PacedCampaignRecord = components['schemas']['PacedCampaignRecord'];
export type PayloadTooLargeError = components['schemas']['PayloadTooLargeError'];
export type PhoneHealthResponse = components['schemas']['PhoneHealthResponse'];
export type PreviewButton = components['schemas']['PreviewButton'];
export type PreviewRecord = components['schemas']['PreviewRecord'];
export type PreviewTemplateRequest = components['schemas']['PreviewTemplateRequest'];
export type PreviewTemplateResponse = components['schemas']['PreviewTemplateResponse'];
export type ProgressBucketRecord = components['schemas']['ProgressBucketRecord'];
export type RangeNotSatisfiableError = components['schemas']['RangeNotSatisfiableError'];
export type RateLimitedError = components['schemas']['RateLimitedError'];
export type ReactionField = components['schemas']['ReactionField'];
export type ReactionPart = components['schemas']['ReactionPart'];
export type RecentDeliveriesRecord = components['schemas']['RecentDeliveriesRecord'];
export type RecipientCountsField = components['schemas']['RecipientCountsField'];
export type RecipientListResponse = components['schemas']['RecipientListResponse'];
export type RecipientRecord = components['schemas']['RecipientRecord'];
export type RemovedPhoneResponse = components['schemas']['RemovedPhoneResponse'];
export type RenderedPart = components['schemas']['RenderedPart'];
export type ReplayRecord = components['schemas']['ReplayRecord'];
export type ReplayRequest = components['schemas']['ReplayRequest'];
export type ReplayResponse = components['schemas']['ReplayResponse'];
export type ReplyButton = components['schemas']['ReplyButton'];
export type RequestTimeoutError = components['schemas']['RequestTimeoutError'];
export type ResolveConversationRequest = components['schemas']['ResolveConversationRequest'];
export type RestrictionField = components['schemas']['RestrictionField'];
export type RetryFailedRequest = components['schemas']['RetryFailedRequest'];
export type RevokedApiKeyResponse = components['schemas']['RevokedApiKeyResponse'];
export type RotateApiKeyRequest = components['schemas']['RotateApiKeyRequest'];
export type RotateSecretRequest = components['schemas']['RotateSecretRequest'];
export type RotateSecretResponse = components['schemas']['RotateSecretResponse'];
export type RowFaultRecord = components['schemas']['RowFaultRecord'];
export type RowWarningRecord = components['schemas']['RowWarningRecord'];
export type SavedRepliesResponse = components['schemas']['SavedRepliesResponse'];
export type SavedReplyDeletedResponse = components['schemas']['SavedReplyDeletedResponse'];
export type SavedReplyFoundResponse = components['schemas']['SavedReplyFoundResponse'];
export type SavedReplyRecord = components['schemas']['SavedReplyRecord'];
export type SavedReplyResponse = components['schemas']['SavedReplyResponse'];
export type SendCampaignResponse = components['schemas']['SendCampaignResponse'];
export type SendFreeFormRequest = components['schemas']['SendFreeFormRequest'];
export type SendFreeFormResponse = components['schemas']['SendFreeFormResponse'];
export type SendTemplateRequest = components['schemas']['SendTemplateRequest'];
export type SendTemplateResponse = components['schemas']['SendTemplateResponse'];
export type SendWindowField = components['schemas']['SendWindowField'];
export type SentByField = components['schemas']['SentByField'];
export type SentReactionField = components['schemas']['SentReactionField'];
export type SentReplyButton = components['schemas']['SentReplyButton'];
export type SentUrlButton = components['schemas']['SentUrlButton'];
export type SessionRecord = components['schemas']['SessionRecord'];
export type SessionResponse = components['schemas']['SessionResponse'];
export type SessionsResponse = components['schemas']['SessionsResponse'];
export type SignInRequest = components['schemas']['SignInRequest'];
export type SignedInUser = components['schemas']['SignedInUser'];
export type SuccessResponse = components['schemas']['SuccessResponse'];
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
export type TimelineEntryRecord = components['schemas']['TimelineEntryRecord'];
export type TimelineResponse = components['schemas']['TimelineResponse'];
export type UnauthorizedError = components['schemas']['UnauthorizedError'];
export type UnavailableError = components['schemas']['UnavailableError'];
export type UnprocessableEntityError = components['schemas']['UnprocessableEntityError'];
export type UnsupportedMediaTypeError = components['schemas']['UnsupportedMediaTypeError'];
export type UpdateContactRequest = components['schemas']['UpdateContactRequest'];
export type UpdateGroupRequest = components['schemas']['UpdateGroupRequest'];
export type UpdateSavedReplyRequest = components['schemas']['UpdateSavedReplyRequest'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type UploadRecord = components['schemas']['UploadRecord'];
export type UploadResponse = components['schemas']['UploadResponse'];
export type UrlButton = components['schemas']['UrlButton'];
export type WebhookActionResponse = components['schemas']['WebhookActionResponse'];
export type WebhookDeletedResponse = components['schemas']['WebhookDeletedResponse'];
export type WebhookDisabledEvent = components['schemas']['WebhookDisabledEvent'];
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
export type HeaderXIgnoredFields = components['headers']['X-Ignored-Fields'];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "agents": [
                     *         {
                     *           "user_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "full_name": "Ben Agent",
                     *           "email": "ben@example.com",
                     *           "role": "agent",
                     *           "status": "active"
                     *         },
                     *         {
                     *           "user_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "full_name": "Olive Owner",
                     *           "email": "olive@example.com",
                     *           "role": "owner",
                     *           "status": "active"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["AgentListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "api_keys": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "name": "second",
                     *           "prefix": "pk_live_5f1c0a7b",
                     *           "scopes": [
                     *             "contacts:read"
                     *           ],
                     *           "rate_limit": 100,
                     *           "allowed_networks": null,
                     *           "status": "active",
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "last_used_at": null
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "name": "test",
                     *           "prefix": "pk_live_5f1c0a7b",
                     *           "scopes": [
                     *             "*"
                     *           ],
                     *           "rate_limit": 10000,
                     *           "allowed_networks": null,
                     *           "status": "active",
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "last_used_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeysResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "API key created",
                     *       "api_key": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Order service",
                     *         "prefix": "pk_live_5f1c0a7b",
                     *         "scopes": [
                     *           "contacts:read",
                     *           "messages:write"
                     *         ],
                     *         "rate_limit": 100,
                     *         "allowed_networks": null,
                     *         "status": "active",
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "expires_at": "2026-01-31T09:30:00.000Z",
                     *         "revoked_at": null,
                     *         "last_used_at": null
                     *       },
                     *       "key": "pk_live_5f1c0a7be2d94c38a6e01b7f4d52c9e8"
                     *     }
                     */
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "API key revoked",
                     *       "api_key_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["RevokedApiKeyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "API key rotated",
                     *       "api_key": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "second",
                     *         "prefix": "pk_live_5f1c0a7b",
                     *         "scopes": [
                     *           "contacts:read"
                     *         ],
                     *         "rate_limit": 100,
                     *         "allowed_networks": null,
                     *         "status": "active",
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "expires_at": null,
                     *         "revoked_at": null,
                     *         "last_used_at": null
                     *       },
                     *       "key": "pk_live_5f1c0a7be2d94c38a6e01b7f4d52c9e8"
                     *     }
                     */
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only what happened from this time on. UTC unless it has an offset; a date means 00:00
                 * @example 2026-01-31T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Only what happened before this time. UTC unless it has an offset; a date means 00:00
                 * @example 2026-02-28
                 */
                until?: string;
                action?: "account.created" | "account.suspended" | "account.activated" | "account.contacts_erased" | "account.credited" | "agent.created" | "agent.changed" | "agent.deactivated" | "agent.activated" | "agent.signed_in" | "agent.sign_in_refused" | "agent.signed_out" | "agent.password_set" | "agent.sign_in_link_created" | "api_key.created" | "api_key.rotated" | "api_key.reissued" | "api_key.revoked" | "business_phone.created" | "business_phone.changed" | "business_phone.connected" | "business_phone.removed" | "campaign.sent" | "campaign.paused" | "campaign.resumed" | "campaign.cancelled" | "campaign.failed" | "campaign.retried" | "contact.erased" | "organisation.changed" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.replayed" | "webhook.replay_cancelled";
                /**
                 * @description Entries about this record
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                subject_id?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "audit_entries": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "actor": "api_key",
                     *           "api_key_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "api_key_name": "test",
                     *           "user_id": null,
                     *           "user_name": null,
                     *           "action": "api_key.created",
                     *           "subject_type": "api_key",
                     *           "subject_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "changes": {
                     *             "scopes": [
                     *               "contacts:read",
                     *               "messages:write"
                     *             ],
                     *             "expires_at": "2026-01-31T09:30:00.000Z",
                     *             "allowed_networks": null
                     *           },
                     *           "request_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "address": "203.0.113.7"
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "actor": "api_key",
                     *           "api_key_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "api_key_name": "test",
                     *           "user_id": null,
                     *           "user_name": null,
                     *           "action": "webhook.created",
                     *           "subject_type": "webhook",
                     *           "subject_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "changes": {
                     *             "url": "https://example.com",
                     *             "secret": "set",
                     *             "status": "active",
                     *             "timeout": 5,
                     *             "retry_count": 3,
                     *             "subscribed_events": [
                     *               "message.received",
                     *               "message.failed"
                     *             ]
                     *           },
                     *           "request_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "address": "203.0.113.7"
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "actor": "system",
                     *           "api_key_id": null,
                     *           "api_key_name": null,
                     *           "user_id": null,
                     *           "user_name": null,
                     *           "action": "agent.created",
                     *           "subject_type": "agent",
                     *           "subject_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "changes": {
                     *             "role": "agent"
                     *           },
                     *           "request_id": null,
                     *           "address": null
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "actor": "api_key",
                     *           "api_key_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "api_key_name": "test",
                     *           "user_id": null,
                     *           "user_name": null,
                     *           "action": "webhook.created",
                     *           "subject_type": "webhook",
                     *           "subject_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "changes": {
                     *             "url": "https://example.com/webhooks",
                     *             "status": "active",
                     *             "timeout": 30,
                     *             "retry_count": 3,
                     *             "subscribed_events": [
                     *               "message.sent",
                     *               "message.delivered",
                     *               "message.read",
                     *               "message.failed",
                     *               "button.clicked",
                     *               "message.received",
                     *               "message.reply",
                     *               "conversation.assigned",
                     *               "conversation.unassigned",
                     *               "conversation.resolved",
                     *               "conversation.reopened"
                     *             ]
                     *           },
                     *           "request_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "address": "203.0.113.7"
                     *         }
                     *       ],
                     *       "total": 4,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["AuditResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "business_phones": [
                     *         {
                     *           "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "phone_number_id": "551411976402",
                     *           "waba_id": "771411976401",
                     *           "phone": "15551976403",
                     *           "throughput": 0,
                     *           "is_primary": true,
                     *           "quality": null,
                     *           "messaging_limit": null,
                     *           "restriction": null
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["BusinessPhoneListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessPhones.connect": {
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
                "application/json": components["schemas"]["ConnectPhoneRequest"];
            };
        };
        responses: {
            /** @description Not connected; `checks` says why */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Nothing was stored, because of: business_account",
                     *       "connected": false,
                     *       "business_phone": null,
                     *       "checks": [
                     *         {
                     *           "check": "app",
                     *           "result": "ok",
                     *           "found": "Meta knows the app 1 and its secret",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "token",
                     *           "result": "ok",
                     *           "found": "a token of a system user that does not expire",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "token_app",
                     *           "result": "ok",
                     *           "found": "the token belongs to the app 1",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "permissions",
                     *           "result": "ok",
                     *           "found": "whatsapp_business_messaging, whatsapp_business_management",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "business_account",
                     *           "result": "failed",
                     *           "found": "Meta answered 100: (#100) Invalid parameter: Object with ID '102290129340398' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "problem": "The phones of the business account 102290129340398 could not be read, so nobody knows whether it is yours.",
                     *           "advice": "Mend what the other checks name first; else compare the id with the one in WhatsApp Manager. See “The ids” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "registration",
                     *           "result": "unknown",
                     *           "found": "not looked at",
                     *           "problem": "The phone could not be read. Meta answered 100: (#100) Invalid parameter: Object with ID '106540352242922' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "advice": "Mend what the checks before name, then check again. See “Register the number” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "subscription",
                     *           "result": "unknown",
                     *           "found": "not looked at",
                     *           "problem": "The subscribed apps could not be read. Meta answered 100: (#100) Invalid parameter: Object with ID '102290129340398' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "advice": "Mend what the checks before name, then check again. See “Subscribe the app” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "callback_url",
                     *           "result": "unknown",
                     *           "found": "Meta calls http://203.0.113.7:33389/network/callbacks",
                     *           "problem": "Parley does not know its own address, so it cannot tell whether that is right.",
                     *           "advice": "Set PUBLIC_URL to the address at which Meta reaches Parley, and restart. See “The callback URL” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "fields",
                     *           "result": "ok",
                     *           "found": "subscribed: messages, message_template_status_update, template_category_update, account_update, business_capability_update, phone_number_quality_update, user_preferences",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "name",
                     *           "result": "unknown",
                     *           "found": "not looked at",
                     *           "problem": "The phone could not be read. Meta answered 100: (#100) Invalid parameter: Object with ID '106540352242922' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "advice": "Mend what the checks before name, then check again. See “The display name” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "quality",
                     *           "result": "unknown",
                     *           "found": "not looked at",
                     *           "problem": "The phone could not be read. Meta answered 100: (#100) Invalid parameter: Object with ID '106540352242922' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "advice": "Mend what the checks before name, then check again. See “The display name” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "health",
                     *           "result": "unknown",
                     *           "found": "not looked at",
                     *           "problem": "The phone could not be read. Meta answered 100: (#100) Invalid parameter: Object with ID '106540352242922' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "advice": "Mend what the checks before name, then check again. See “The health of the account” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "payment",
                     *           "result": "unknown",
                     *           "found": "no payment problem was met",
                     *           "problem": "Meta does not tell whether a payment method is set; only the first refusal (131042) does.",
                     *           "advice": "Make sure that the account has a payment method. See “The payment method” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "live_mode",
                     *           "result": "unknown",
                     *           "found": "no callback has arrived in the last 24 hours",
                     *           "problem": "Meta does not tell whether the app is in live mode; in development mode callbacks do not arrive.",
                     *           "advice": "Look at the switch App mode at the top of the app’s dashboard. The first report proves it. See “Live mode” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "reports",
                     *           "result": "ok",
                     *           "found": "nothing has been sent yet",
                     *           "problem": null,
                     *           "advice": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectPhoneResponse"];
                };
            };
            /** @description Connected */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectPhoneResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The phone or its business account belongs to another account */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "businessPhones.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                waba_phone_id: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Business phone removed",
                     *       "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["RemovedPhoneResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such business phone */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Campaigns of the phone run or are scheduled */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessPhones.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                waba_phone_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePhoneRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Nothing was stored, because of: business_account",
                     *       "connected": false,
                     *       "business_phone": null,
                     *       "checks": [
                     *         {
                     *           "check": "app",
                     *           "result": "ok",
                     *           "found": "Meta knows the app 1 and its secret",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "token",
                     *           "result": "ok",
                     *           "found": "a token of a system user that does not expire",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "token_app",
                     *           "result": "ok",
                     *           "found": "the token belongs to the app 1",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "permissions",
                     *           "result": "ok",
                     *           "found": "whatsapp_business_messaging, whatsapp_business_management",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "business_account",
                     *           "result": "failed",
                     *           "found": "Meta answered 100: (#100) Invalid parameter: Object with ID '102290129340398' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "problem": "The phones of the business account 102290129340398 could not be read, so nobody knows whether it is yours.",
                     *           "advice": "Mend what the other checks name first; else compare the id with the one in WhatsApp Manager. See “The ids” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "registration",
                     *           "result": "ok",
                     *           "found": "platform_type CLOUD_API, status CONNECTED",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "subscription",
                     *           "result": "unknown",
                     *           "found": "not looked at",
                     *           "problem": "The subscribed apps could not be read. Meta answered 100: (#100) Invalid parameter: Object with ID '102290129340398' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
                     *           "advice": "Mend what the checks before name, then check again. See “Subscribe the app” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "callback_url",
                     *           "result": "unknown",
                     *           "found": "Meta calls http://203.0.113.7:33389/network/callbacks",
                     *           "problem": "Parley does not know its own address, so it cannot tell whether that is right.",
                     *           "advice": "Set PUBLIC_URL to the address at which Meta reaches Parley, and restart. See “The callback URL” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "fields",
                     *           "result": "ok",
                     *           "found": "subscribed: messages, message_template_status_update, template_category_update, account_update, business_capability_update, phone_number_quality_update, user_preferences",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "name",
                     *           "result": "ok",
                     *           "found": "Simulated business, APPROVED",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "quality",
                     *           "result": "ok",
                     *           "found": "quality GREEN, limit unknown, throughput STANDARD",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "health",
                     *           "result": "ok",
                     *           "found": "Meta says: AVAILABLE",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "payment",
                     *           "result": "unknown",
                     *           "found": "no payment problem was met",
                     *           "problem": "Meta does not tell whether a payment method is set; only the first refusal (131042) does.",
                     *           "advice": "Make sure that the account has a payment method. See “The payment method” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "live_mode",
                     *           "result": "unknown",
                     *           "found": "no callback has arrived in the last 24 hours",
                     *           "problem": "Meta does not tell whether the app is in live mode; in development mode callbacks do not arrive.",
                     *           "advice": "Look at the switch App mode at the top of the app’s dashboard. The first report proves it. See “Live mode” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "reports",
                     *           "result": "ok",
                     *           "found": "nothing has been sent yet",
                     *           "problem": null,
                     *           "advice": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectPhoneResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such business phone */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The phone or its business account belongs to another account */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "businessPhones.check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                waba_phone_id: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "connected": false,
                     *       "checks": [
                     *         {
                     *           "check": "app",
                     *           "result": "ok",
                     *           "found": "Meta knows the app 1 and its secret",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "token",
                     *           "result": "ok",
                     *           "found": "a token of a system user that does not expire",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "token_app",
                     *           "result": "ok",
                     *           "found": "the token belongs to the app 1",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "permissions",
                     *           "result": "ok",
                     *           "found": "whatsapp_business_messaging, whatsapp_business_management",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "business_account",
                     *           "result": "ok",
                     *           "found": "551411976402 is a phone of 771411976401",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "registration",
                     *           "result": "ok",
                     *           "found": "platform_type CLOUD_API, status CONNECTED",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "subscription",
                     *           "result": "failed",
                     *           "found": "no app is subscribed to the account",
                     *           "problem": "The app is not subscribed to the business account, so no report and no message reaches Parley.",
                     *           "advice": "Run `phones connect` again with the same ids: it subscribes the app. See “Subscribe the app” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "callback_url",
                     *           "result": "unknown",
                     *           "found": "Meta calls http://203.0.113.7:33389/network/callbacks",
                     *           "problem": "Parley does not know its own address, so it cannot tell whether that is right.",
                     *           "advice": "Set PUBLIC_URL to the address at which Meta reaches Parley, and restart. See “The callback URL” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "fields",
                     *           "result": "ok",
                     *           "found": "subscribed: messages, message_template_status_update, template_category_update, account_update, business_capability_update, phone_number_quality_update, user_preferences",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "name",
                     *           "result": "ok",
                     *           "found": "Simulated business, APPROVED",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "quality",
                     *           "result": "ok",
                     *           "found": "quality GREEN, limit unknown, throughput STANDARD",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "health",
                     *           "result": "ok",
                     *           "found": "Meta says: AVAILABLE",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "payment",
                     *           "result": "unknown",
                     *           "found": "no payment problem was met",
                     *           "problem": "Meta does not tell whether a payment method is set; only the first refusal (131042) does.",
                     *           "advice": "Make sure that the account has a payment method. See “The payment method” in docs/connect.md."
                     *         },
                     *         {
                     *           "check": "live_mode",
                     *           "result": "ok",
                     *           "found": "callbacks have arrived in the last 24 hours",
                     *           "problem": null,
                     *           "advice": null
                     *         },
                     *         {
                     *           "check": "reports",
                     *           "result": "ok",
                     *           "found": "reports come",
                     *           "problem": null,
                     *           "advice": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PhoneHealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such business phone */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
                 * @example ada
                 */
                search?: string;
                status?: "draft" | "scheduled" | "running" | "completed" | "cancelled" | "failed";
                /**
                 * @description Only those created from this time on. UTC unless it has an offset; a date means 00:00
                 * @example 2026-01-31
                 */
                since?: string;
                /**
                 * @description Only campaigns with this contact among their recipients
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                contact_id?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "campaigns": [
                     *         {
                     *           "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "name": "Spring offer",
                     *           "campaign_status": "draft",
                     *           "total_contacts": 2,
                     *           "sent_count": 0,
                     *           "delivered_count": 0,
                     *           "read_count": 0,
                     *           "clicked_count": 0,
                     *           "failed_count": 0,
                     *           "replied_count": 0,
                     *           "success_count": 2,
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "scheduled_at": null,
                     *           "started_at": null,
                     *           "completed_at": null,
                     *           "description": null,
                     *           "template_name": "order_update",
                     *           "template_language": "en_US",
                     *           "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "body_data": {
                     *             "1": {
                     *               "contact_field": "first_name",
                     *               "fallback": "there"
                     *             }
                     *           },
                     *           "header_data": {},
                     *           "media_url": null,
                     *           "media_id": null,
                     *           "filename": null,
                     *           "location": null,
                     *           "button_params": [],
                     *           "carousel_data": null,
                     *           "expiration_time_ms": null,
                     *           "scheduled_timezone": null,
                     *           "send_window": null,
                     *           "send_before": null,
                     *           "max_failure_percent": 50,
                     *           "held_count": 0,
                     *           "waiting_until": null,
                     *           "waiting_reason": null,
                     *           "paused": false,
                     *           "paused_at": null,
                     *           "paused_by": null,
                     *           "failure_reason": null,
                     *           "created_by": {
                     *             "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *             "name": "Olive Owner",
                     *             "source": "api"
                     *           },
                     *           "started_by": null,
                     *           "group_names": [],
                     *           "left_out": {
                     *             "invalid_phones": 0,
                     *             "duplicates": 0
                     *           }
                     *         },
                     *         {
                     *           "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "name": "Autumn",
                     *           "campaign_status": "draft",
                     *           "total_contacts": 1,
                     *           "sent_count": 0,
                     *           "delivered_count": 0,
                     *           "read_count": 0,
                     *           "clicked_count": 0,
                     *           "failed_count": 0,
                     *           "replied_count": 0,
                     *           "success_count": 1,
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "scheduled_at": null,
                     *           "started_at": null,
                     *           "completed_at": null,
                     *           "description": null,
                     *           "template_name": "order_update",
                     *           "template_language": "en_US",
                     *           "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "body_data": {},
                     *           "header_data": {},
                     *           "media_url": null,
                     *           "media_id": null,
                     *           "filename": null,
                     *           "location": null,
                     *           "button_params": [],
                     *           "carousel_data": null,
                     *           "expiration_time_ms": null,
                     *           "scheduled_timezone": null,
                     *           "send_window": null,
                     *           "send_before": null,
                     *           "max_failure_percent": 50,
                     *           "held_count": 0,
                     *           "waiting_until": null,
                     *           "waiting_reason": null,
                     *           "paused": false,
                     *           "paused_at": null,
                     *           "paused_by": null,
                     *           "failure_reason": null,
                     *           "created_by": {
                     *             "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *             "name": "Olive Owner",
                     *             "source": "api"
                     *           },
                     *           "started_by": null,
                     *           "group_names": [],
                     *           "left_out": {
                     *             "invalid_phones": 0,
                     *             "duplicates": 0
                     *           }
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 1,
                     *       "limit": 20,
                     *       "counts": {
                     *         "draft": 2,
                     *         "scheduled": 0,
                     *         "running": 0,
                     *         "completed": 0,
                     *         "cancelled": 0,
                     *         "failed": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Campaign created as draft for 2 contacts",
                     *       "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "name": "Spring offer",
                     *       "status_value": "draft",
                     *       "total_contacts": 2,
                     *       "invalid_phones": [],
                     *       "timestamp": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "campaign": {
                     *         "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Autumn",
                     *         "campaign_status": "draft",
                     *         "total_contacts": 1,
                     *         "sent_count": 0,
                     *         "delivered_count": 0,
                     *         "read_count": 0,
                     *         "clicked_count": 0,
                     *         "failed_count": 0,
                     *         "replied_count": 0,
                     *         "success_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "scheduled_at": null,
                     *         "started_at": null,
                     *         "completed_at": null,
                     *         "description": null,
                     *         "template_name": "order_update",
                     *         "template_language": "en_US",
                     *         "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "body_data": {},
                     *         "header_data": {},
                     *         "media_url": null,
                     *         "media_id": null,
                     *         "filename": null,
                     *         "location": null,
                     *         "button_params": [],
                     *         "carousel_data": null,
                     *         "expiration_time_ms": null,
                     *         "scheduled_timezone": null,
                     *         "send_window": null,
                     *         "send_before": null,
                     *         "max_failure_percent": 50,
                     *         "held_count": 0,
                     *         "waiting_until": null,
                     *         "waiting_reason": null,
                     *         "paused": false,
                     *         "paused_at": null,
                     *         "paused_by": null,
                     *         "failure_reason": null,
                     *         "created_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "started_by": null,
                     *         "group_names": [],
                     *         "left_out": {
                     *           "invalid_phones": 0,
                     *           "duplicates": 0
                     *         },
                     *         "rate_per_second": null,
                     *         "seconds_left": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Campaign cancelled",
                     *       "campaign": {
                     *         "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Autumn",
                     *         "campaign_status": "cancelled",
                     *         "total_contacts": 1,
                     *         "sent_count": 0,
                     *         "delivered_count": 0,
                     *         "read_count": 0,
                     *         "clicked_count": 0,
                     *         "failed_count": 0,
                     *         "replied_count": 0,
                     *         "success_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "scheduled_at": null,
                     *         "started_at": null,
                     *         "completed_at": null,
                     *         "description": null,
                     *         "template_name": "order_update",
                     *         "template_language": "en_US",
                     *         "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "body_data": {},
                     *         "header_data": {},
                     *         "media_url": null,
                     *         "media_id": null,
                     *         "filename": null,
                     *         "location": null,
                     *         "button_params": [],
                     *         "carousel_data": null,
                     *         "expiration_time_ms": null,
                     *         "scheduled_timezone": null,
                     *         "send_window": null,
                     *         "send_before": null,
                     *         "max_failure_percent": 50,
                     *         "held_count": 0,
                     *         "waiting_until": null,
                     *         "waiting_reason": null,
                     *         "paused": false,
                     *         "paused_at": null,
                     *         "paused_by": null,
                     *         "failure_reason": null,
                     *         "created_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "started_by": null,
                     *         "group_names": [],
                     *         "left_out": {
                     *           "invalid_phones": 0,
                     *           "duplicates": 0
                     *         }
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "campaigns.listFailures": {
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "failures": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Campaign paused",
                     *       "campaign": {
                     *         "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Autumn",
                     *         "campaign_status": "running",
                     *         "total_contacts": 1,
                     *         "sent_count": 0,
                     *         "delivered_count": 0,
                     *         "read_count": 0,
                     *         "clicked_count": 0,
                     *         "failed_count": 0,
                     *         "replied_count": 0,
                     *         "success_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "scheduled_at": null,
                     *         "started_at": null,
                     *         "completed_at": null,
                     *         "description": null,
                     *         "template_name": "order_update",
                     *         "template_language": "en_US",
                     *         "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "body_data": {},
                     *         "header_data": {},
                     *         "media_url": null,
                     *         "media_id": null,
                     *         "filename": null,
                     *         "location": null,
                     *         "button_params": [],
                     *         "carousel_data": null,
                     *         "expiration_time_ms": null,
                     *         "scheduled_timezone": null,
                     *         "send_window": null,
                     *         "send_before": null,
                     *         "max_failure_percent": 50,
                     *         "held_count": 0,
                     *         "waiting_until": null,
                     *         "waiting_reason": null,
                     *         "paused": true,
                     *         "paused_at": "2026-01-31T09:30:00.000Z",
                     *         "paused_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "failure_reason": null,
                     *         "created_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "started_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "group_names": [],
                     *         "left_out": {
                     *           "invalid_phones": 0,
                     *           "duplicates": 0
                     *         }
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "campaigns.showProgress": {
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "bucket_seconds": 1,
                     *       "buckets": []
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignProgressResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
                 * @example ada
                 */
                search?: string;
                status?: "pending" | "accepted" | "sent" | "delivered" | "read" | "clicked" | "failed" | "cancelled";
                /** @description Only recipients who got at least that far with the latest message: `sent` (accepted by the network, also if it failed later), `delivered`, `read`; or who have ever `clicked` a button or `replied` */
                reached?: "sent" | "delivered" | "read" | "clicked" | "replied";
                /**
                 * @description Only failed recipients with this code, as `failures` counts them
                 * @example 131026
                 */
                error_code?: number;
                /** @description Default: sending order, in which nothing moves. `name`: by `contact_name`, without case and accents. `last_activity`: by the latest time of the recipient, newest first, people without any last; a recipient moves to the front with each report and reply, so that a walk with `cursor` may miss those that move, or meet them twice */
                order?: "last_activity" | "name";
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "recipients": [
                     *         {
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "contact_phone": "4915123456789",
                     *           "contact_name": "Ada Lorenzen",
                     *           "message_id": null,
                     *           "status": "pending",
                     *           "attempts": 0,
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "retryable": false,
                     *           "sent_at": null,
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "clicked_at": null,
                     *           "replied_at": null,
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "counts": {
                     *         "pending": 1,
                     *         "accepted": 0,
                     *         "sent": 0,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "clicked": 0,
                     *         "failed": 0,
                     *         "cancelled": 0
                     *       },
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["RecipientListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "campaigns.exportRecipients": {
        parameters: {
            query?: {
                /** @description false leaves out the byte order mark, which Excel needs */
                bom?: "true" | "false";
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
            /** @description The file, with a header line */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Campaign resumed",
                     *       "campaign": {
                     *         "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Autumn",
                     *         "campaign_status": "running",
                     *         "total_contacts": 1,
                     *         "sent_count": 0,
                     *         "delivered_count": 0,
                     *         "read_count": 0,
                     *         "clicked_count": 0,
                     *         "failed_count": 0,
                     *         "replied_count": 0,
                     *         "success_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "scheduled_at": null,
                     *         "started_at": null,
                     *         "completed_at": null,
                     *         "description": null,
                     *         "template_name": "order_update",
                     *         "template_language": "en_US",
                     *         "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "body_data": {},
                     *         "header_data": {},
                     *         "media_url": null,
                     *         "media_id": null,
                     *         "filename": null,
                     *         "location": null,
                     *         "button_params": [],
                     *         "carousel_data": null,
                     *         "expiration_time_ms": null,
                     *         "scheduled_timezone": null,
                     *         "send_window": null,
                     *         "send_before": null,
                     *         "max_failure_percent": 50,
                     *         "held_count": 0,
                     *         "waiting_until": null,
                     *         "waiting_reason": null,
                     *         "paused": false,
                     *         "paused_at": null,
                     *         "paused_by": null,
                     *         "failure_reason": null,
                     *         "created_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "started_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "group_names": [],
                     *         "left_out": {
                     *           "invalid_phones": 0,
                     *           "duplicates": 0
                     *         }
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryFailedRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Retrying failed recipients",
                     *       "campaign": {
                     *         "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Autumn",
                     *         "campaign_status": "running",
                     *         "total_contacts": 1,
                     *         "sent_count": -1,
                     *         "delivered_count": 0,
                     *         "read_count": 0,
                     *         "clicked_count": 0,
                     *         "failed_count": -1,
                     *         "replied_count": 0,
                     *         "success_count": 2,
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "scheduled_at": null,
                     *         "started_at": "2026-01-31T09:30:00.000Z",
                     *         "completed_at": null,
                     *         "description": null,
                     *         "template_name": "order_update",
                     *         "template_language": "en_US",
                     *         "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "body_data": {},
                     *         "header_data": {},
                     *         "media_url": null,
                     *         "media_id": null,
                     *         "filename": null,
                     *         "location": null,
                     *         "button_params": [],
                     *         "carousel_data": null,
                     *         "expiration_time_ms": null,
                     *         "scheduled_timezone": null,
                     *         "send_window": null,
                     *         "send_before": null,
                     *         "max_failure_percent": 50,
                     *         "held_count": 0,
                     *         "waiting_until": null,
                     *         "waiting_reason": null,
                     *         "paused": false,
                     *         "paused_at": null,
                     *         "paused_by": null,
                     *         "failure_reason": null,
                     *         "created_by": {
                     *           "user_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "started_by": null,
                     *         "group_names": [],
                     *         "left_out": {
                     *           "invalid_phones": 0,
                     *           "duplicates": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignActionResponse"];
                };
            };
            /** @description The campaign is neither completed nor failed, no recipient is retryable, `error_codes` names a code that is not, a check failed, or the wallet has too few credits */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "message": "Campaign queued for sending",
                     *       "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "task_id": "campaign.dispatch.v1:019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "timestamp": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "campaign_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "name": "Autumn",
                     *       "campaign_status": "draft",
                     *       "total_contacts": 1,
                     *       "sent_count": 0,
                     *       "delivered_count": 0,
                     *       "read_count": 0,
                     *       "clicked_count": 0,
                     *       "failed_count": 0,
                     *       "replied_count": 0,
                     *       "success_count": 1,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "scheduled_at": null,
                     *       "started_at": null,
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignStatsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "contacts": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "first_name": "Ada",
                     *           "last_name": null,
                     *           "phone_number": "4915411976433",
                     *           "email": null,
                     *           "company": null,
                     *           "tags": [],
                     *           "opted_in": true,
                     *           "source": "import",
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "first_name": "User #392879",
                     *           "last_name": null,
                     *           "phone_number": "4915123456780",
                     *           "email": null,
                     *           "company": null,
                     *           "tags": [],
                     *           "opted_in": true,
                     *           "source": "campaign",
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "first_name": "Ada",
                     *           "last_name": "Lorenzen",
                     *           "phone_number": "4915123456789",
                     *           "email": null,
                     *           "company": null,
                     *           "tags": [],
                     *           "opted_in": true,
                     *           "source": "campaign",
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "first_name": "Ada Lorenzen",
                     *           "last_name": null,
                     *           "phone_number": "4915123456789",
                     *           "user_id": "US.96813708709368163684",
                     *           "username": null,
                     *           "email": null,
                     *           "company": null,
                     *           "tags": [],
                     *           "opted_in": true,
                     *           "source": "api",
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 4,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["ContactsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contact created",
                     *       "contact": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "first_name": "Ada",
                     *         "last_name": null,
                     *         "phone_number": "4915411976434",
                     *         "email": null,
                     *         "company": null,
                     *         "tags": [
                     *           "vip"
                     *         ],
                     *         "opted_in": true,
                     *         "source": "api",
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
            query?: {
                /** @description false leaves out the byte order mark, which Excel needs */
                bom?: "true" | "false";
            };
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.import": {
        parameters: {
            query?: {
                /**
                 * @description Country of numbers without `+` or `00`, as two letters of ISO 3166. Such numbers are then read as they are dialled there. Digits may still be international: they are if they begin with the code of this country and go on with a valid number of it, or are more likely a number of another country (a mobile phone before a landline, a valid number before a possible one). Digits that a contact has already mean that contact. By default all numbers have their country code
                 * @example DE
                 */
                default_country?: string;
            };
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contacts imported: 1 created, 0 updated, 0 failed",
                     *       "created": 1,
                     *       "updated": 0,
                     *       "failed": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            /** @description The file is no CSV, or its header cannot be read; nothing was changed */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contact found",
                     *       "contact": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "first_name": "Ada Lorenzen",
                     *         "last_name": null,
                     *         "phone_number": "4915123456789",
                     *         "user_id": "US.96813708709368163684",
                     *         "username": null,
                     *         "email": null,
                     *         "company": null,
                     *         "tags": [],
                     *         "opted_in": true,
                     *         "source": "api",
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contact deleted",
                     *       "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contact changed",
                     *       "contact": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "first_name": "Ada Lorenzen",
                     *         "last_name": null,
                     *         "phone_number": "4915123456789",
                     *         "user_id": "US.98129270459010647598",
                     *         "username": null,
                     *         "email": null,
                     *         "company": null,
                     *         "tags": [
                     *           "vip",
                     *           "berlin"
                     *         ],
                     *         "opted_in": true,
                     *         "source": "api",
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "contacts.consentOf": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "consent": [],
                     *       "total": 0,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["ContactConsentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "contact": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "tags": [],
                     *         "email": null,
                     *         "wa_id": null,
                     *         "source": "api",
                     *         "company": null,
                     *         "user_id": "US.96813708709368163684",
                     *         "moved_at": null,
                     *         "opted_in": true,
                     *         "username": null,
                     *         "erased_at": null,
                     *         "last_name": null,
                     *         "account_id": "Lorenzen",
                     *         "consent_at": null,
                     *         "consent_by": null,
                     *         "created_at": "2026-01-31T09:30:00.000225+00:00",
                     *         "deleted_at": null,
                     *         "first_name": "Ada Lorenzen",
                     *         "updated_at": "2026-01-31T09:30:00.000706+00:00",
                     *         "merged_into": null,
                     *         "is_duplicate": false,
                     *         "phone_number": "4915123456789",
                     *         "former_identities": []
                     *       },
                     *       "merged_contacts": [],
                     *       "consent": [],
                     *       "groups": [
                     *         {
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "name": "Newsletter",
                     *           "added_at": "2026-01-31T09:30:00.000664+00:00"
                     *         },
                     *         {
                     *           "id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "name": "Customers in Berlin",
                     *           "added_at": "2026-01-31T09:30:00.000171+00:00"
                     *         }
                     *       ],
                     *       "conversations": [
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "business_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "status": "open",
                     *           "assigned_to": null,
                     *           "assigned_at": null,
                     *           "changed_at": null,
                     *           "last_inbound_at": "2026-11-28T13:55:22+00:00",
                     *           "auto_replied_at": null,
                     *           "last_message_at": "2026-01-31T09:30:00.000+00:00",
                     *           "last_message_preview": "Your parcel is on its way.",
                     *           "created_at": "2026-01-31T09:30:00.000706+00:00",
                     *           "active_at": "2026-01-31T09:30:00.000+00:00",
                     *           "waiting_since": null,
                     *           "answer_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "waited_since": "2026-11-28T13:55:22+00:00"
                     *         }
                     *       ],
                     *       "assignments": [],
                     *       "entries": [],
                     *       "messages": [
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "direction": "in",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "business_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "campaign_id": null,
                     *           "context_message_id": null,
                     *           "message_type": "text",
                     *           "content": "Hi",
                     *           "template_name": null,
                     *           "status": "received",
                     *           "seen": 0,
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "payload": {
                     *             "from": "4915123456789",
                     *             "from_user_id": "US.96813708709368163684",
                     *             "id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *             "timestamp": "1795874122",
                     *             "type": "text",
                     *             "text": {
                     *               "body": "Hi"
                     *             }
                     *           },
                     *           "created_at": "2026-11-28T13:55:22+00:00",
                     *           "accepted_at": null,
                     *           "sent_at": null,
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "clicked_at": null,
                     *           "failed_at": null,
                     *           "edited_at": null,
                     *           "revoked_at": null,
                     *           "change_ids": null,
                     *           "agent_user_id": null,
                     *           "reference": null,
                     *           "by_person": null,
                     *           "file": null
                     *         },
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "direction": "out",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "business_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "campaign_id": null,
                     *           "context_message_id": null,
                     *           "message_type": "template",
                     *           "content": "Hello from the test",
                     *           "template_name": "order_update",
                     *           "status": "sent",
                     *           "seen": 1,
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "payload": {
                     *             "sent": {
                     *               "rendered": {}
                     *             }
                     *           },
                     *           "created_at": "2026-01-31T09:30:00.000+00:00",
                     *           "accepted_at": "2026-01-31T09:30:00.000+00:00",
                     *           "sent_at": "2026-01-31T09:30:00.000+00:00",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "clicked_at": null,
                     *           "failed_at": null,
                     *           "edited_at": null,
                     *           "revoked_at": null,
                     *           "change_ids": null,
                     *           "agent_user_id": null,
                     *           "reference": null,
                     *           "by_person": null,
                     *           "file": null
                     *         },
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "direction": "out",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "business_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "campaign_id": null,
                     *           "context_message_id": null,
                     *           "message_type": "template",
                     *           "content": "Hello from the test",
                     *           "template_name": "order_update",
                     *           "status": "sent",
                     *           "seen": 1,
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "payload": {
                     *             "sent": {
                     *               "rendered": {}
                     *             }
                     *           },
                     *           "created_at": "2026-01-31T09:30:00.000+00:00",
                     *           "accepted_at": "2026-01-31T09:30:00.000+00:00",
                     *           "sent_at": "2026-01-31T09:30:00.000+00:00",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "clicked_at": null,
                     *           "failed_at": null,
                     *           "edited_at": null,
                     *           "revoked_at": null,
                     *           "change_ids": null,
                     *           "agent_user_id": null,
                     *           "reference": null,
                     *           "by_person": null,
                     *           "file": null
                     *         },
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "direction": "out",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "business_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "campaign_id": null,
                     *           "context_message_id": null,
                     *           "message_type": "text",
                     *           "content": "Your parcel is on its way.",
                     *           "template_name": null,
                     *           "status": "sent",
                     *           "seen": 1,
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "payload": null,
                     *           "created_at": "2026-01-31T09:30:00.000+00:00",
                     *           "accepted_at": "2026-01-31T09:30:00.000+00:00",
                     *           "sent_at": "2026-01-31T09:30:00.000+00:00",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "clicked_at": null,
                     *           "failed_at": null,
                     *           "edited_at": null,
                     *           "revoked_at": null,
                     *           "change_ids": null,
                     *           "agent_user_id": null,
                     *           "reference": null,
                     *           "by_person": null,
                     *           "file": null
                     *         }
                     *       ],
                     *       "recipients": [
                     *         {
                     *           "code": null,
                     *           "held": false,
                     *           "state": "pending",
                     *           "due_at": null,
                     *           "clicked": false,
                     *           "replied": false,
                     *           "admitted": false,
                     *           "attempts": 0,
                     *           "personal": null,
                     *           "position": 0,
                     *           "account_id": "Lorenzen",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "message_id": null,
                     *           "replied_at": null,
                     *           "campaign_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "cap_retried": false,
                     *           "campaign_name": "Autumn",
                     *           "credit_returned": false,
                     *           "first_attempt_at": null
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "occurred_at": "2026-01-31T09:30:00.000+00:00",
                     *           "kind": "message.received",
                     *           "body": "{\"event\":\"message.received\",\"timestamp\":\"2026-01-31T09:30:00.000\",\"message\":{\"message_id\":\"019c1363-49c0-7642-9fe5-1e78f53e031a\",\"contact_phone\":\"4915123456789\",\"contact_name\":\"Ada Lorenzen\",\"content\":\"Hi\",\"message_type\":\"text\",\"timestamp\":\"2026-01-31T09:30:00.000\",\"waba_phone_id\":\"019c1363-49c0-7680-92b3-4d37d5120a7f\",\"is_reply\":false,\"is_from_ad\":false}}",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *         },
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "occurred_at": "2026-01-31T09:30:00.000+00:00",
                     *           "kind": "message.sent",
                     *           "body": "{\"event\":\"message.sent\",\"timestamp\":\"2026-01-31T09:30:00.000\",\"campaign_id\":null,\"campaign_name\":null,\"message\":{\"message_id\":\"019c1363-49c0-7dfa-9508-c296aabc444f\",\"contact_phone\":\"4915123456789\",\"contact_name\":\"Ada Lorenzen\",\"status\":\"sent\",\"previous_status\":\"pending\",\"status_timestamp\":\"2026-01-31T09:30:00.000\"}}",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *         },
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "occurred_at": "2026-01-31T09:30:00.000+00:00",
                     *           "kind": "message.sent",
                     *           "body": "{\"event\":\"message.sent\",\"timestamp\":\"2026-01-31T09:30:00.000\",\"campaign_id\":null,\"campaign_name\":null,\"message\":{\"message_id\":\"019c1363-49c0-7680-92b3-4d37d5120a7f\",\"contact_phone\":\"4915123456789\",\"contact_name\":\"Ada Lorenzen\",\"status\":\"sent\",\"previous_status\":\"pending\",\"status_timestamp\":\"2026-01-31T09:30:00.000\"}}",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *         },
                     *         {
                     *           "account_id": "Lorenzen",
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "occurred_at": "2026-01-31T09:30:00.000+00:00",
                     *           "kind": "message.sent",
                     *           "body": "{\"event\":\"message.sent\",\"timestamp\":\"2026-01-31T09:30:00.000\",\"campaign_id\":null,\"campaign_name\":null,\"message\":{\"message_id\":\"019c1363-49c0-7dfa-9508-c296aabc444f\",\"contact_phone\":\"4915123456789\",\"contact_name\":\"Ada Lorenzen\",\"status\":\"sent\",\"previous_status\":\"pending\",\"status_timestamp\":\"2026-01-31T09:30:00.000\"}}",
                     *           "contact_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *         }
                     *       ],
                     *       "deliveries": [],
                     *       "callbacks": [],
                     *       "stored_answers": []
                     *     }
                     */
                    "application/json": components["schemas"]["ContactExportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
                 * @example ada
                 */
                search?: string;
                status?: "open" | "resolved";
                /**
                 * @description `user_id` of an agent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                assigned_to?: string;
                /** @description true lists unassigned conversations only, false assigned ones only */
                unassigned?: "true" | "false";
                /** @description true lists only conversations in which the contact has ever written, false the others */
                has_inbound?: "true" | "false";
                /** @description true lists only conversations in which the contact waits for an answer, false the others */
                waiting?: "true" | "false";
                /**
                 * @description Only conversations with this business phone
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id?: string;
                /**
                 * @description Only conversations in which messages of this campaign were sent
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                campaign_id?: string;
                /**
                 * @description Only conversations with this contact
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                contact_id?: string;
                /** @description `active`: most recently active first; a conversation moves to the front with each message. `created`: by the age of the contact, newest first; nothing moves, so that a walk with `cursor` meets every conversation once. `last_inbound`: by the contact’s last message, newest first, without conversations that have none. `longest_waiting`: who has waited longest first, without conversations in which nobody waits */
                order?: "active" | "created" | "last_inbound" | "longest_waiting";
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "conversations": [
                     *         {
                     *           "phone_number": "4915123456789",
                     *           "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "status": "open",
                     *           "assigned_to": null,
                     *           "assigned_to_name": null,
                     *           "assigned_at": null,
                     *           "is_reassignment": null,
                     *           "previous_assignee_id": null,
                     *           "previous_assignee_name": null,
                     *           "note": null,
                     *           "no_op": null,
                     *           "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "contact_name": "Ada Lorenzen",
                     *           "last_message_at": "2026-01-31T09:30:00.000+00:00",
                     *           "last_message_preview": "Your parcel is on its way.",
                     *           "last_message_direction": "out",
                     *           "last_message_status": "sent",
                     *           "waiting_since": null,
                     *           "window_expires_at": "2026-01-31T09:30:00.000+00:00",
                     *           "created_at": "2026-01-31T09:30:00.000+00:00"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationsResponse"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.get": {
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "conversation": {
                     *         "phone_number": "4915123456789",
                     *         "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "status": "open",
                     *         "assigned_to": null,
                     *         "assigned_to_name": null,
                     *         "assigned_at": null,
                     *         "is_reassignment": null,
                     *         "previous_assignee_id": null,
                     *         "previous_assignee_name": null,
                     *         "note": null,
                     *         "no_op": null,
                     *         "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "contact_name": "Ada Lorenzen",
                     *         "last_message_at": "2026-01-31T09:30:00.000+00:00",
                     *         "last_message_preview": "Your parcel is on its way.",
                     *         "last_message_direction": "out",
                     *         "last_message_status": "sent",
                     *         "waiting_since": null,
                     *         "window_expires_at": "2026-01-31T09:30:00.000+00:00",
                     *         "created_at": "2026-01-31T09:30:00.000+00:00"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationResponse"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            /** @description There is no such conversation */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Conversation assigned",
                     *       "data": {
                     *         "phone_number": "4915123456789",
                     *         "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "status": null,
                     *         "assigned_to": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "assigned_to_name": "Ben Agent",
                     *         "assigned_at": "2026-01-31T09:30:00.000+00:00",
                     *         "is_reassignment": false,
                     *         "previous_assignee_id": null,
                     *         "previous_assignee_name": null,
                     *         "note": null,
                     *         "no_op": false
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description With `only_if_unassigned`: another agent has the conversation; the message names them */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `user_id` is missing */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "phone_number": "4915123456789",
                     *         "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "has_conversation": true,
                     *         "status": "open",
                     *         "assigned_to": null,
                     *         "assigned_to_name": null,
                     *         "assigned_at": null
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only what happened from this time on. UTC unless it has an offset; a date means 00:00
                 * @example 2026-01-31T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Only what happened before this time. UTC unless it has an offset; a date means 00:00
                 * @example 2026-02-28
                 */
                until?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "messages": [
                     *         {
                     *           "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "direction": "out",
                     *           "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "contact_phone": "4915123456789",
                     *           "contact_name": "Ada Lorenzen",
                     *           "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "message_type": "template",
                     *           "content": "Hello from the test",
                     *           "rendered": {
                     *             "header": null,
                     *             "body": "Hello from the test",
                     *             "footer": null,
                     *             "buttons": []
                     *           },
                     *           "reactions": [],
                     *           "template_name": "order_update",
                     *           "campaign_id": null,
                     *           "campaign_name": null,
                     *           "status": "sent",
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "timeline": [
                     *             {
                     *               "status": "pending",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             },
                     *             {
                     *               "status": "accepted",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             },
                     *             {
                     *               "status": "sent",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         },
                     *         {
                     *           "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "direction": "in",
                     *           "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "contact_phone": "4915123456789",
                     *           "contact_name": "Ada Lorenzen",
                     *           "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "message_type": "text",
                     *           "content": "Hi",
                     *           "reactions": [],
                     *           "template_name": null,
                     *           "campaign_id": null,
                     *           "campaign_name": null,
                     *           "status": "received",
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "timeline": [
                     *             {
                     *               "status": "received",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["MessageListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.addNote": {
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
                "application/json": components["schemas"]["CreateNoteRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Note added to the conversation with 4915123456789",
                     *       "note": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "text": "Wants to be called back after 5 p.m.",
                     *         "by": {
                     *           "user_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "name": "Olive Owner",
                     *           "source": "api"
                     *         },
                     *         "at": "2026-01-31T09:30:00.000+00:00"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NoteResponse"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            /** @description There is no such conversation */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "conversations.markRead": {
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
                "application/json": components["schemas"]["MarkReadRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Conversation marked as read",
                     *       "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["MarkReadResponse"];
                };
            };
            /** @description The contact has sent no message in the last 30 days, or the network refused */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
            /** @description The network cannot do it now: try again after `Retry-After` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description The network’s answer was lost. Trying again does no harm */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkTimeoutError"];
                };
            };
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Conversation reopened",
                     *       "data": {
                     *         "phone_number": "4915123456789",
                     *         "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "status": "open",
                     *         "assigned_to": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "assigned_to_name": "Olive Owner",
                     *         "assigned_at": null,
                     *         "is_reassignment": null,
                     *         "previous_assignee_id": null,
                     *         "previous_assignee_name": null,
                     *         "note": null,
                     *         "no_op": null
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Conversation resolved",
                     *       "data": {
                     *         "phone_number": "4915123456789",
                     *         "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "status": "resolved",
                     *         "assigned_to": null,
                     *         "assigned_to_name": null,
                     *         "assigned_at": null,
                     *         "is_reassignment": null,
                     *         "previous_assignee_id": null,
                     *         "previous_assignee_name": null,
                     *         "note": null,
                     *         "no_op": null
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "conversations.timeline": {
        parameters: {
            query?: {
                /**
                 * @description Default: the contact’s most recently active conversation
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                waba_phone_id?: string;
                /**
                 * @description The `next_before` of an answer: lists older entries; empty for the newest
                 * @example
                 */
                before?: string;
                /**
                 * @description The `next_after` of an answer: lists newer entries; empty for the newest
                 * @example
                 */
                after?: string;
                /**
                 * @description `message_id` of a message in the conversation: lists it and what is around it
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                around?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "entries": [
                     *         {
                     *           "type": "message",
                     *           "at": "2026-01-31T09:30:00.000+00:00",
                     *           "message": {
                     *             "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *             "direction": "out",
                     *             "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *             "contact_phone": "4915123456789",
                     *             "contact_name": "Ada Lorenzen",
                     *             "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *             "message_type": "template",
                     *             "content": "Hello from the test",
                     *             "rendered": {
                     *               "header": null,
                     *               "body": "Hello from the test",
                     *               "footer": null,
                     *               "buttons": []
                     *             },
                     *             "reactions": [],
                     *             "template_name": "order_update",
                     *             "campaign_id": null,
                     *             "campaign_name": null,
                     *             "status": "sent",
                     *             "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *             "error_code": null,
                     *             "error_message": null,
                     *             "pricing": null,
                     *             "timeline": [
                     *               {
                     *                 "status": "pending",
                     *                 "at": "2026-01-31T09:30:00.000Z"
                     *               },
                     *               {
                     *                 "status": "accepted",
                     *                 "at": "2026-01-31T09:30:00.000Z"
                     *               },
                     *               {
                     *                 "status": "sent",
                     *                 "at": "2026-01-31T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "created_at": "2026-01-31T09:30:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "type": "message",
                     *           "at": "2026-01-31T09:30:00.000+00:00",
                     *           "message": {
                     *             "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *             "direction": "in",
                     *             "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *             "contact_phone": "4915123456789",
                     *             "contact_name": "Ada Lorenzen",
                     *             "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *             "message_type": "text",
                     *             "content": "Hi",
                     *             "reactions": [],
                     *             "template_name": null,
                     *             "campaign_id": null,
                     *             "campaign_name": null,
                     *             "status": "received",
                     *             "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *             "error_code": null,
                     *             "error_message": null,
                     *             "pricing": null,
                     *             "timeline": [
                     *               {
                     *                 "status": "received",
                     *                 "at": "2026-01-31T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "created_at": "2026-01-31T09:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "next_before": null,
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["TimelineResponse"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            /** @description There is no such conversation, or `around` is not a message of it */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Conversation unassigned",
                     *       "data": {
                     *         "phone_number": "4915123456789",
                     *         "waba_phone_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "status": null,
                     *         "assigned_to": null,
                     *         "assigned_to_name": null,
                     *         "assigned_at": null,
                     *         "is_reassignment": null,
                     *         "previous_assignee_id": null,
                     *         "previous_assignee_name": null,
                     *         "note": null,
                     *         "no_op": null
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
                 * @example ada
                 */
                search?: string;
                /**
                 * @description Only groups with this contact
                 * @example 019c1363-49c0-7680-92b3-4d37d5120a7f
                 */
                contact_id?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "groups": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "name": "Newsletter",
                     *           "description": null,
                     *           "tags": [],
                     *           "contact_count": 1,
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["GroupsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Group created",
                     *       "group": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Customers in Berlin",
                     *         "description": "Bought something this year",
                     *         "tags": [
                     *           "berlin"
                     *         ],
                     *         "contact_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "group": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Newsletter",
                     *         "description": null,
                     *         "tags": [],
                     *         "contact_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GroupFoundResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Group deleted",
                     *       "group_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["GroupDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Group changed",
                     *       "group": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Customers in Potsdam",
                     *         "description": null,
                     *         "tags": [],
                     *         "contact_count": 1,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "contacts": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "first_name": "Ada Lorenzen",
                     *           "last_name": null,
                     *           "phone_number": "4915123456789",
                     *           "user_id": "US.96813708709368163684",
                     *           "username": null,
                     *           "email": null,
                     *           "company": null,
                     *           "tags": [],
                     *           "opted_in": true,
                     *           "source": "api",
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["ContactsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contacts added to the group",
                     *       "group_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "contact_ids": [
                     *         "019c1363-49c0-7dfa-9508-c296aabc444f"
                     *       ]
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Contacts removed from the group",
                     *       "group_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "contact_ids": [
                     *         "019c1363-49c0-7dfa-9508-c296aabc444f"
                     *       ]
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "media.upload": {
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
        /** @description The file as the field `file` of a form. At most 101 MiB. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description With the `Content-Type` of its format */
                    file: string;
                };
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "File uploaded",
                     *       "media": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "mime_type": "application/pdf",
                     *         "size": 15,
                     *         "expires_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UploadResponse"];
                };
            };
            /** @description There is no file or more than one, it is empty, of a type that is not accepted or not the declared one */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
            /** @description The file is larger than its type may be */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLargeError"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StoredUnprocessableEntity"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description Other files are being received, or the media store is full */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only what happened from this time on. UTC unless it has an offset; a date means 00:00
                 * @example 2026-01-31T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Only what happened before this time. UTC unless it has an offset; a date means 00:00
                 * @example 2026-02-28
                 */
                until?: string;
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
                /** @description A page compares 20,000 messages at most, so a page of a rare status can hold fewer than `limit`, even none, before the last one: follow `next_cursor`. Not so for `received`, `failed` and `clicked` */
                status?: "pending" | "accepted" | "sent" | "delivered" | "read" | "clicked" | "failed" | "received";
                /** @example order_update */
                template_name?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "messages": [
                     *         {
                     *           "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "direction": "out",
                     *           "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "contact_phone": "4915123456789",
                     *           "contact_name": "Ada Lorenzen",
                     *           "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "message_type": "template",
                     *           "content": "Hello from the test",
                     *           "rendered": {
                     *             "header": null,
                     *             "body": "Hello from the test",
                     *             "footer": null,
                     *             "buttons": []
                     *           },
                     *           "reactions": [],
                     *           "template_name": "order_update",
                     *           "campaign_id": null,
                     *           "campaign_name": null,
                     *           "status": "sent",
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "timeline": [
                     *             {
                     *               "status": "pending",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             },
                     *             {
                     *               "status": "accepted",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             },
                     *             {
                     *               "status": "sent",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         },
                     *         {
                     *           "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "direction": "in",
                     *           "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "contact_phone": "4915123456789",
                     *           "contact_name": "Ada Lorenzen",
                     *           "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *           "message_type": "text",
                     *           "content": "Hi",
                     *           "reactions": [],
                     *           "template_name": null,
                     *           "campaign_id": null,
                     *           "campaign_name": null,
                     *           "status": "received",
                     *           "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "pricing": null,
                     *           "timeline": [
                     *             {
                     *               "status": "received",
                     *               "at": "2026-01-31T09:30:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["MessageListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "The network accepted the message",
                     *       "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *       "template_name": "order_update",
                     *       "timestamp": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description The account has no such template, or `reply_to` or `agent_user_id` names nothing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "The network accepted the message",
                     *       "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *       "message_type": "text",
                     *       "timestamp": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"] | components["schemas"]["ErrorDetail"];
                };
            };
            /** @description A message or agent that the request names does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message_record": {
                     *         "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "direction": "out",
                     *         "contact_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "contact_phone": "4915123456789",
                     *         "contact_name": "Ada Lorenzen",
                     *         "waba_phone_id": "019c1363-49c0-7642-9fe5-1e78f53e031a",
                     *         "message_type": "template",
                     *         "content": "Hello from the test",
                     *         "rendered": {
                     *           "header": null,
                     *           "body": "Hello from the test",
                     *           "footer": null,
                     *           "buttons": []
                     *         },
                     *         "reactions": [],
                     *         "template_name": "order_update",
                     *         "campaign_id": null,
                     *         "campaign_name": null,
                     *         "status": "sent",
                     *         "network_message_id": "wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ",
                     *         "error_code": null,
                     *         "error_message": null,
                     *         "pricing": null,
                     *         "timeline": [
                     *           {
                     *             "status": "pending",
                     *             "at": "2026-01-31T09:30:00.000Z"
                     *           },
                     *           {
                     *             "status": "accepted",
                     *             "at": "2026-01-31T09:30:00.000Z"
                     *           },
                     *           {
                     *             "status": "sent",
                     *             "at": "2026-01-31T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.getMedia": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Part of the file
                 * @example bytes=0-1023
                 */
                Range?: string;
            };
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The part that `Range` asks for */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The file is the one that `If-None-Match` names */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The file ends before the part that `Range` asks for */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeNotSatisfiableError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "savedReplies.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "saved_replies": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "name": "Reply of Lorenzen",
                     *           "text": "Hello",
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "updated_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["SavedRepliesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "savedReplies.create": {
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
                "application/json": components["schemas"]["CreateSavedReplyRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Saved reply created",
                     *       "saved_reply": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Parcel on its way",
                     *         "text": "Hello {{first_name}}, your parcel left us today.",
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "updated_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReplyResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description A saved reply with this name exists, or the account has 1,000 */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "savedReplies.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                saved_reply_id: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "saved_reply": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Reply of Lorenzen",
                     *         "text": "Hello",
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "updated_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReplyFoundResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "savedReplies.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                saved_reply_id: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Saved reply deleted",
                     *       "saved_reply_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReplyDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "savedReplies.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                saved_reply_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSavedReplyRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Saved reply changed",
                     *       "saved_reply": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "Reply of Lorenzen",
                     *         "text": "Hello {{first_name}}, your parcel left us this morning.",
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "updated_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReplyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another saved reply has this name */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "session.current": {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "session.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 0.015625 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionResponse"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            /** @description The address or the password is wrong, or the link was used or is too old */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthorizedError"];
                };
            };
            /** @description The request comes from another page */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["PublicRequestTimeout"];
            413: components["responses"]["PublicPayloadTooLarge"];
            /** @description Too many failures from this IP address, or with this e-mail address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            500: components["responses"]["PublicInternalError"];
            /** @description Many people are signing in at once: try again after `Retry-After` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    "session.end": {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "session.changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 0.015625 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description `current` is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The session has ended meanwhile, or somebody else has set a password */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "session.list": {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "session.endOther": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019c1363-49c0-7680-92b3-4d37d5120a7f */
                session_id: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description You have no such session */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "session.watch": {
        parameters: {
            query: {
                /**
                 * @description Up to 10 topics, separated by commas. `badges`: counts for the navigation (event `badges`, every second). `campaigns`: those that run (`campaigns`, every second). `campaign:<campaign_id>`: one campaign (`campaign`, twice a second)
                 * @example badges,campaigns
                 */
                topics: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The role does not allow to see a topic */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenError"];
                };
            };
            /** @description The record of a topic is not one of the account’s */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description Too many streams are open; ask for what you watch instead */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    "templates.list": {
        parameters: {
            query?: {
                /**
                 * @description Counted from 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                status?: "APPROVED" | "PENDING" | "REJECTED";
                category?: "MARKETING" | "UTILITY" | "AUTHENTICATION";
                /**
                 * @description As the network writes it, such as `en_US`
                 * @example en_US
                 */
                language?: string;
                /**
                 * @description Any part of the name, in any case
                 * @example ada
                 */
                search?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "templates": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "name": "order_update",
                     *           "category": "UTILITY",
                     *           "language": "en_US",
                     *           "status": "APPROVED",
                     *           "network_status": "APPROVED",
                     *           "rejection_reason": null,
                     *           "header_format": "NONE",
                     *           "body": "Hello from the test",
                     *           "footer": null,
                     *           "buttons": [],
                     *           "requires_media": false,
                     *           "variable_count": 0,
                     *           "parameter_format": "POSITIONAL",
                     *           "is_carousel": false,
                     *           "carousel_cards": null,
                     *           "limited_time_offer": null,
                     *           "offer_code": null,
                     *           "components": [
                     *             {
                     *               "text": "Hello from the test",
                     *               "type": "BODY"
                     *             }
                     *           ],
                     *           "meta_template_id": "1795874122383000",
                     *           "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "updated_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Template created and submitted for review",
                     *       "template_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "meta_template_id": "1795874124727000",
                     *       "meta_status": "PENDING"
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description The account has uploaded no such file, or its time is over */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
            /** @description A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Template created and submitted for review",
                     *       "template_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *       "meta_template_id": "1795874124824000",
                     *       "meta_status": "PENDING"
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            /** @description The account has uploaded no such file, or its time is over */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
            /** @description A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "preview": {
                     *         "header": null,
                     *         "body": "Hello from the test",
                     *         "footer": null,
                     *         "buttons": [],
                     *         "missing": []
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Templates synchronised",
                     *       "summary": {
                     *         "total_meta_templates": 3,
                     *         "synced": 3,
                     *         "created": 0,
                     *         "updated": 0,
                     *         "skipped": 3,
                     *         "deleted": 0
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "template": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "name": "order_update",
                     *         "category": "UTILITY",
                     *         "language": "en_US",
                     *         "status": "APPROVED",
                     *         "network_status": "APPROVED",
                     *         "rejection_reason": null,
                     *         "header_format": "NONE",
                     *         "body": "Hello from the test",
                     *         "footer": null,
                     *         "buttons": [],
                     *         "requires_media": false,
                     *         "variable_count": 0,
                     *         "parameter_format": "POSITIONAL",
                     *         "is_carousel": false,
                     *         "carousel_cards": null,
                     *         "limited_time_offer": null,
                     *         "offer_code": null,
                     *         "components": [
                     *           {
                     *             "text": "Hello from the test",
                     *             "type": "BODY"
                     *           }
                     *         ],
                     *         "meta_template_id": "1795874122383000",
                     *         "waba_phone_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "updated_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Template deleted",
                     *       "template_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteTemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Scheduled or running campaigns use the template; the message names them */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "webhooks": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "url": "https://example.com/webhooks",
                     *           "subscribed_events": [
                     *             "message.sent",
                     *             "message.delivered",
                     *             "message.read",
                     *             "message.failed",
                     *             "button.clicked",
                     *             "message.received",
                     *             "message.reply",
                     *             "conversation.assigned",
                     *             "conversation.unassigned",
                     *             "conversation.resolved",
                     *             "conversation.reopened"
                     *           ],
                     *           "retry_count": 3,
                     *           "timeout": 30,
                     *           "status": "active",
                     *           "disabled_reason": null,
                     *           "has_secret": false,
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["WebhooksResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Webhook created",
                     *       "webhook": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "url": "https://example.com/webhooks",
                     *         "subscribed_events": [
                     *           "message.received",
                     *           "message.failed"
                     *         ],
                     *         "retry_count": 3,
                     *         "timeout": 5,
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "has_secret": true,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "webhook": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "url": "https://example.com/webhooks",
                     *         "subscribed_events": [
                     *           "message.sent",
                     *           "message.delivered",
                     *           "message.read",
                     *           "message.failed",
                     *           "button.clicked",
                     *           "message.received",
                     *           "message.reply",
                     *           "conversation.assigned",
                     *           "conversation.unassigned",
                     *           "conversation.resolved",
                     *           "conversation.reopened"
                     *         ],
                     *         "retry_count": 3,
                     *         "timeout": 30,
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "has_secret": false,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       },
                     *       "last_hour": {
                     *         "delivered": 0,
                     *         "failed": 0,
                     *         "pending": 0,
                     *         "success_rate": null,
                     *         "lag_ms": 86425959
                     *       },
                     *       "replay": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Webhook deleted",
                     *       "webhook_id": "019c1363-49c0-7680-92b3-4d37d5120a7f"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeletedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Webhook updated",
                     *       "webhook": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "url": "https://example.com/webhooks",
                     *         "subscribed_events": [
                     *           "message.sent",
                     *           "message.delivered",
                     *           "message.read",
                     *           "message.failed",
                     *           "button.clicked",
                     *           "message.received",
                     *           "message.reply",
                     *           "conversation.assigned",
                     *           "conversation.unassigned",
                     *           "conversation.resolved",
                     *           "conversation.reopened"
                     *         ],
                     *         "retry_count": 3,
                     *         "timeout": 30,
                     *         "status": "disabled",
                     *         "disabled_reason": "disabled by request",
                     *         "has_secret": false,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                 * @description Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page before. What is created or deleted meanwhile moves nothing. Not together with `page`
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Rows on a page
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only what happened from this time on. UTC unless it has an offset; a date means 00:00
                 * @example 2026-01-31T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Only what happened before this time. UTC unless it has an offset; a date means 00:00
                 * @example 2026-02-28
                 */
                until?: string;
                status?: "pending" | "delivered" | "failed";
                event?: "message.sent" | "message.delivered" | "message.read" | "message.failed" | "button.clicked" | "message.received" | "message.reply" | "conversation.assigned" | "conversation.unassigned" | "conversation.resolved" | "conversation.reopened" | "message.edited" | "message.revoked" | "webhook.disabled" | "webhook.test";
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "deliveries": [
                     *         {
                     *           "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *           "event": "message.sent",
                     *           "webhook_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *           "status": "pending",
                     *           "attempts": [],
                     *           "next_attempt_at": "2026-01-31T09:30:00.000Z",
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Delivery queued again",
                     *       "delivery": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "event": "message.sent",
                     *         "webhook_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "status": "pending",
                     *         "attempts": [],
                     *         "next_attempt_at": "2026-01-31T09:30:00.000Z",
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Replay started",
                     *       "replay": {
                     *         "status": "running",
                     *         "since": "2026-01-31T09:30:00.000Z",
                     *         "events": [
                     *           "message.sent",
                     *           "message.delivered",
                     *           "message.read",
                     *           "message.failed",
                     *           "button.clicked",
                     *           "message.received",
                     *           "message.reply",
                     *           "conversation.assigned",
                     *           "conversation.unassigned",
                     *           "conversation.resolved",
                     *           "conversation.reopened"
                     *         ],
                     *         "replayed": 0,
                     *         "started_at": "2026-01-31T09:30:00.000Z",
                     *         "finished_at": null
                     *       }
                     *     }
                     */
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
    "webhooks.cancelReplay": {
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Replay cancelled",
                     *       "replay": {
                     *         "status": "cancelled",
                     *         "since": "2026-01-31T09:30:00.000Z",
                     *         "events": [
                     *           "message.sent",
                     *           "message.delivered",
                     *           "message.read",
                     *           "message.failed",
                     *           "button.clicked",
                     *           "message.received",
                     *           "message.reply",
                     *           "conversation.assigned",
                     *           "conversation.unassigned",
                     *           "conversation.resolved",
                     *           "conversation.reopened"
                     *         ],
                     *         "replayed": 0,
                     *         "started_at": "2026-01-31T09:30:00.000Z",
                     *         "finished_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description No replay is running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Secret rotated",
                     *       "webhook": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "url": "https://example.com/webhooks",
                     *         "subscribed_events": [
                     *           "message.sent",
                     *           "message.delivered",
                     *           "message.read",
                     *           "message.failed",
                     *           "button.clicked",
                     *           "message.received",
                     *           "message.reply",
                     *           "conversation.assigned",
                     *           "conversation.unassigned",
                     *           "conversation.resolved",
                     *           "conversation.reopened"
                     *         ],
                     *         "retry_count": 3,
                     *         "timeout": 30,
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "has_secret": true,
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       },
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
                     *       "previous_secret_until": null
                     *     }
                     */
                    "application/json": components["schemas"]["RotateSecretResponse"];
                };
            };
            400: components["responses"]["StoredBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StoredForbidden"];
            404: components["responses"]["StoredNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Five secrets of the webhook sign already */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Test event queued",
                     *       "delivery": {
                     *         "id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                     *         "event": "webhook.test",
                     *         "webhook_id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                     *         "status": "pending",
                     *         "attempts": [],
                     *         "next_attempt_at": "2026-01-31T09:30:00.000Z",
                     *         "created_at": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            408: components["responses"]["PublicRequestTimeout"];
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
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                        /** @description What the operator should mend; absent when there is nothing */
                        warnings?: string[];
                    };
                };
            };
            408: components["responses"]["PublicRequestTimeout"];
            500: components["responses"]["PublicInternalError"];
            /** @description The database cannot be used, or the process is stopping */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
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
                        /** @description What the operator should mend; absent when there is nothing */
                        warnings?: string[];
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
                 *         "context": {
                 *           "message_id": "019c1363-49c0-7680-92b3-4d37d5120a7f",
                 *           "forwarded": false,
                 *           "frequently_forwarded": false,
                 *           "referred_product": null
                 *         },
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
    "events.messageEditedEvent": {
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
                 *       "event": "message.edited",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-77cc-9c64-e0ebaf456e28",
                 *         "direction": "in",
                 *         "contact_id": "019c1363-49c0-7830-9c02-c4160eb600e4",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "message_type": "text",
                 *         "content": "See you at three",
                 *         "reactions": [],
                 *         "template_name": null,
                 *         "campaign_id": null,
                 *         "campaign_name": null,
                 *         "status": "received",
                 *         "network_message_id": "wamid.HBgLMTU1NTk5OTAxMDAVAgASGBQzQTVDRkE4RjA2Q0Q5RDI5RTI1OQA=",
                 *         "error_code": null,
                 *         "error_message": null,
                 *         "pricing": null,
                 *         "timeline": [
                 *           {
                 *             "status": "received",
                 *             "at": "2026-01-31T09:30:00.000Z"
                 *           }
                 *         ],
                 *         "created_at": "2026-01-31T09:30:00.000Z",
                 *         "edited_at": "2026-01-31T09:30:00.000Z"
                 *       },
                 *       "changed": [
                 *         "content",
                 *         "edited_at"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MessageEditedEvent"];
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
    "events.messageRevokedEvent": {
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
                 *       "event": "message.revoked",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "message": {
                 *         "message_id": "019c1363-49c0-77cc-9c64-e0ebaf456e28",
                 *         "direction": "in",
                 *         "contact_id": "019c1363-49c0-7830-9c02-c4160eb600e4",
                 *         "contact_phone": "15559990100",
                 *         "contact_name": "Casey Example",
                 *         "waba_phone_id": "019c1363-49c0-7d06-992d-03bd9c5da5ec",
                 *         "message_type": "text",
                 *         "content": "",
                 *         "reactions": [],
                 *         "template_name": null,
                 *         "campaign_id": null,
                 *         "campaign_name": null,
                 *         "status": "received",
                 *         "network_message_id": "wamid.HBgLMTU1NTk5OTAxMDAVAgASGBQzQTVDRkE4RjA2Q0Q5RDI5RTI1OQA=",
                 *         "error_code": null,
                 *         "error_message": null,
                 *         "pricing": null,
                 *         "timeline": [
                 *           {
                 *             "status": "received",
                 *             "at": "2026-01-31T09:30:00.000Z"
                 *           }
                 *         ],
                 *         "created_at": "2026-01-31T09:30:00.000Z",
                 *         "edited_at": "2026-01-31T09:30:00.000Z",
                 *         "revoked_at": "2026-01-31T09:30:00.000Z"
                 *       },
                 *       "changed": [
                 *         "content",
                 *         "revoked_at"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MessageRevokedEvent"];
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
    "events.webhookDisabledEvent": {
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
                 *       "event": "webhook.disabled",
                 *       "timestamp": "2026-01-31T09:30:00.000",
                 *       "webhook": {
                 *         "id": "019c1363-49c0-7dfa-9508-c296aabc444f",
                 *         "url": "https://example.com/webhooks",
                 *         "subscribed_events": [
                 *           "message.sent",
                 *           "message.delivered",
                 *           "message.read",
                 *           "message.failed",
                 *           "button.clicked",
                 *           "message.received",
                 *           "message.reply",
                 *           "conversation.assigned",
                 *           "conversation.unassigned",
                 *           "conversation.resolved",
                 *           "conversation.reopened"
                 *         ],
                 *         "retry_count": 3,
                 *         "timeout": 5,
                 *         "status": "disabled",
                 *         "disabled_reason": "the endpoint answered 410 Gone",
                 *         "has_secret": true,
                 *         "created_at": "2026-01-31T09:30:00.000Z"
                 *       },
                 *       "changed": [
                 *         "status",
                 *         "disabled_reason"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookDisabledEvent"];
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
