import { EXAMPLE_ID, one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of webhooks. */
export const WEBHOOKS_EXAMPLES: RoomExamples = {
  requests: {
    'webhooks.create': one('Two events', {
      url: 'https://example.com/webhooks',
      secret: 'whsec_VGhpcyBrZXkgaXMgYW4gZXhhbXBsZSBvbmx5Lg==',
      subscribed_events: ['message.received', 'message.failed'],
      retry_count: 3,
      timeout: 5,
    }),
    'webhooks.change': one('Pause an endpoint', { status: 'disabled' }),
    'webhooks.rotateSecret': one('A secret that Parley makes', {}),
    'webhooks.replay': one('Failures since a time', { since: '2026-01-31T09:30:00Z', events: ['message.failed'] }),
  },
  values: {
    'AttemptRecord.error': 'the endpoint answered 503',
    'DeliveryRecord.webhook_id': `msg_${EXAMPLE_ID}`,
    'ReplayResponse.message': 'Replay started',
    'RotateSecretResponse.message': 'Secret rotated',
    'WebhookActionResponse.message': 'Webhook created',
    'WebhookDeletedResponse.message': 'Webhook deleted',
  },
};
