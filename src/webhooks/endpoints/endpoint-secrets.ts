import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import type { SecretPlace } from '../../database/secrets/secret-box.js';
import { DAY } from '../../values/clock.js';

/** How long the previous secret also signs after a rotation, milliseconds. */
export const ROTATION_MS = DAY;
/** Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

/**
 * The place an endpoint's secrets are sealed for. The previous secret has the same one: it was sealed while current.
 */
export const secretPlace = (accountId: string, endpointId: string): SecretPlace => ({
  accountId,
  rowId: endpointId,
  column: 'webhook_endpoints.secret',
});

/** The columns with sealed secrets. A rotation moves the current secret to `previous_secret` as it is. */
export const SECRET_COLUMNS: readonly SealedColumn[] = ['secret', 'previous_secret'].map((column) => ({
  table: 'webhook_endpoints',
  column,
  key: [['id', 'uuid']],
  place: (accountId, [endpointId = '']) => secretPlace(accountId, endpointId),
}));

/** A random secret in the Standard Webhooks format. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
