import { one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of API keys. */
export const API_KEYS_EXAMPLES: RoomExamples = {
  requests: {
    'apiKeys.create': one('A key that may do less', {
      name: 'Order service',
      scopes: ['contacts:read', 'messages:write'],
      expires_at: '2031-01-31T09:30:00Z',
    }),
    'apiKeys.rotate': one('With an hour to replace the old key', { overlap_seconds: 3600 }),
  },
  values: {
    'IssuedApiKeyResponse.message': 'API key created',
    'RevokedApiKeyResponse.message': 'API key revoked',
  },
};
