// Written by scripts/generate-client.mjs from docs/openapi.json. Do not edit by hand.

/** The version of this client, which is that of the Parley it was generated with. */
export const VERSION = '0.1.0';

/** How an operation is called. `{…}` in `path` are its path parameters, in the order of its method's arguments. */
export interface OperationRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: 'json' | 'csv';
  readonly answer: 'json' | 'csv';
}

export const OPERATIONS = {
  'agents.list': { method: 'GET', path: '/api/v1/agents', answer: 'json' },
  'apiKeys.list': { method: 'GET', path: '/api/v1/api-keys', answer: 'json' },
  'apiKeys.create': { method: 'POST', path: '/api/v1/api-keys', body: 'json', answer: 'json' },
  'apiKeys.revoke': { method: 'DELETE', path: '/api/v1/api-keys/{key_id}', answer: 'json' },
  'apiKeys.rotate': { method: 'POST', path: '/api/v1/api-keys/{key_id}/rotate', body: 'json', answer: 'json' },
  'audit.list': { method: 'GET', path: '/api/v1/audit', answer: 'json' },
  'businessPhones.list': { method: 'GET', path: '/api/v1/business-phones', answer: 'json' },
  'campaigns.create': { method: 'POST', path: '/api/v1/campaigns', body: 'json', answer: 'json' },
  'campaigns.list': { method: 'GET', path: '/api/v1/campaigns', answer: 'json' },
  'campaigns.get': { method: 'GET', path: '/api/v1/campaigns/{campaign_id}', answer: 'json' },
  'campaigns.cancel': { method: 'POST', path: '/api/v1/campaigns/{campaign_id}/cancel', answer: 'json' },
  'campaigns.pause': { method: 'POST', path: '/api/v1/campaigns/{campaign_id}/pause', answer: 'json' },
  'campaigns.listRecipients': { method: 'GET', path: '/api/v1/campaigns/{campaign_id}/recipients', answer: 'json' },
  'campaigns.exportRecipients': { method: 'GET', path: '/api/v1/campaigns/{campaign_id}/recipients.csv', answer: 'csv' },
  'campaigns.resume': { method: 'POST', path: '/api/v1/campaigns/{campaign_id}/resume', answer: 'json' },
  'campaigns.retryFailed': { method: 'POST', path: '/api/v1/campaigns/{campaign_id}/retry-failed', answer: 'json' },
  'campaigns.send': { method: 'POST', path: '/api/v1/campaigns/{campaign_id}/send', answer: 'json' },
  'campaigns.stats': { method: 'GET', path: '/api/v1/campaigns/{campaign_id}/stats', answer: 'json' },
  'contacts.list': { method: 'GET', path: '/api/v1/contacts', answer: 'json' },
  'contacts.create': { method: 'POST', path: '/api/v1/contacts', body: 'json', answer: 'json' },
  'contacts.export': { method: 'GET', path: '/api/v1/contacts/export', answer: 'csv' },
  'contacts.import': { method: 'POST', path: '/api/v1/contacts/import', body: 'csv', answer: 'json' },
  'contacts.get': { method: 'GET', path: '/api/v1/contacts/{contact_id}', answer: 'json' },
  'contacts.change': { method: 'PATCH', path: '/api/v1/contacts/{contact_id}', body: 'json', answer: 'json' },
  'contacts.delete': { method: 'DELETE', path: '/api/v1/contacts/{contact_id}', answer: 'json' },
  'contacts.exportContact': { method: 'GET', path: '/api/v1/contacts/{contact_id}/export', answer: 'json' },
  'conversations.list': { method: 'GET', path: '/api/v1/conversations', answer: 'json' },
  'conversations.assign': { method: 'POST', path: '/api/v1/conversations/{contact_phone}/assign', body: 'json', answer: 'json' },
  'conversations.assignment': { method: 'GET', path: '/api/v1/conversations/{contact_phone}/assignment', answer: 'json' },
  'conversations.listMessages': { method: 'GET', path: '/api/v1/conversations/{contact_phone}/messages', answer: 'json' },
  'conversations.reopen': { method: 'POST', path: '/api/v1/conversations/{contact_phone}/reopen', body: 'json', answer: 'json' },
  'conversations.resolve': { method: 'POST', path: '/api/v1/conversations/{contact_phone}/resolve', body: 'json', answer: 'json' },
  'conversations.unassign': { method: 'POST', path: '/api/v1/conversations/{contact_phone}/unassign', body: 'json', answer: 'json' },
  'groups.list': { method: 'GET', path: '/api/v1/groups', answer: 'json' },
  'groups.create': { method: 'POST', path: '/api/v1/groups', body: 'json', answer: 'json' },
  'groups.get': { method: 'GET', path: '/api/v1/groups/{group_id}', answer: 'json' },
  'groups.change': { method: 'PATCH', path: '/api/v1/groups/{group_id}', body: 'json', answer: 'json' },
  'groups.delete': { method: 'DELETE', path: '/api/v1/groups/{group_id}', answer: 'json' },
  'groups.listContacts': { method: 'GET', path: '/api/v1/groups/{group_id}/contacts', answer: 'json' },
  'groups.addContacts': { method: 'POST', path: '/api/v1/groups/{group_id}/contacts', body: 'json', answer: 'json' },
  'groups.removeContacts': { method: 'DELETE', path: '/api/v1/groups/{group_id}/contacts', body: 'json', answer: 'json' },
  'messages.list': { method: 'GET', path: '/api/v1/messages', answer: 'json' },
  'messages.send': { method: 'POST', path: '/api/v1/messages/send', body: 'json', answer: 'json' },
  'messages.sendMessage': { method: 'POST', path: '/api/v1/messages/send-message', body: 'json', answer: 'json' },
  'messages.get': { method: 'GET', path: '/api/v1/messages/{message_id}', answer: 'json' },
  'templates.list': { method: 'GET', path: '/api/v1/templates', answer: 'json' },
  'templates.create': { method: 'POST', path: '/api/v1/templates/create', body: 'json', answer: 'json' },
  'templates.createCarousel': { method: 'POST', path: '/api/v1/templates/create-carousel', body: 'json', answer: 'json' },
  'templates.preview': { method: 'POST', path: '/api/v1/templates/preview', body: 'json', answer: 'json' },
  'templates.sync': { method: 'POST', path: '/api/v1/templates/sync', answer: 'json' },
  'templates.get': { method: 'GET', path: '/api/v1/templates/{template_id}', answer: 'json' },
  'templates.delete': { method: 'DELETE', path: '/api/v1/templates/{template_id}', answer: 'json' },
  'webhooks.list': { method: 'GET', path: '/api/v1/webhooks', answer: 'json' },
  'webhooks.create': { method: 'POST', path: '/api/v1/webhooks', body: 'json', answer: 'json' },
  'webhooks.get': { method: 'GET', path: '/api/v1/webhooks/{webhook_id}', answer: 'json' },
  'webhooks.change': { method: 'PATCH', path: '/api/v1/webhooks/{webhook_id}', body: 'json', answer: 'json' },
  'webhooks.delete': { method: 'DELETE', path: '/api/v1/webhooks/{webhook_id}', answer: 'json' },
  'webhooks.listDeliveries': { method: 'GET', path: '/api/v1/webhooks/{webhook_id}/deliveries', answer: 'json' },
  'webhooks.redeliver': { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', answer: 'json' },
  'webhooks.replay': { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/replay', body: 'json', answer: 'json' },
  'webhooks.rotateSecret': { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/rotate-secret', body: 'json', answer: 'json' },
  'webhooks.test': { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/test', answer: 'json' },
  'health.live': { method: 'GET', path: '/health/live', answer: 'json' },
  'health.ready': { method: 'GET', path: '/health/ready', answer: 'json' },
} as const satisfies Readonly<Record<string, OperationRoute>>;

/** The id of an operation, such as `contacts.create`. */
export type OperationId = keyof typeof OPERATIONS;
