import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import type { SecretPlace } from '../../database/secrets/secret-box.js';
import { DAY } from '../../values/clock.js';

/** How long the secret before signs as well after a rotation, milliseconds. */
export const ROTATION_MS = DAY;
/** What Standard Webhooks recommends: 24 to 64. */
const SECRET_BYTES = 32;

/** Where an endpoint's secrets are sealed: the current one and the one before, which was current when it was sealed. */
export const secretPlace = (accountId: string, endpointId: string): SecretPlace => ({
  accountId,
  rowId: endpointId,
  column: 'webhook_endpoints.secret',
});

/** Where the secrets of all endpoints are sealed. A rotation moves the secret to the second of these. */
export const SECRET_COLUMNS: readonly SealedColumn[] = ['secret', 'previous_secret'].map((column) => ({
  table: 'webhook_endpoints',
  column,
  key: [['id', 'uuid']],
  place: (accountId, [endpointId = '']) => secretPlace(accountId, endpointId),
}));

/** A random secret in the form of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
