import type { SecretPlace } from '../database/secret-box.js';

/** Where an endpoint's secret is sealed. */
export const secretPlace = (accountId: string, endpointId: string): SecretPlace => ({
  accountId,
  rowId: endpointId,
  column: 'webhook_endpoints.secret',
});
