import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import type { SecretPlace } from '../../database/secrets/secret-box.js';
import { DAY } from '../../values/clock.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';

/** How long a secret also signs after it was replaced, milliseconds. */
export const ROTATION_MS = DAY;
/** How many secrets sign at the same time, the newest included. */
export const MAX_SIGNING_SECRETS = 5;
/** Standard Webhooks asks for 24 to 64 bytes. */
export const SECRET_BYTES = { min: 24, max: 64 } as const;
const GENERATED_BYTES = 32;
export const STANDARD_PREFIX = 'whsec_';

/**
 * The place an endpoint's secrets are sealed for. Replaced secrets have the same one: they were sealed while current.
 */
export const secretPlace = (accountId: string, endpointId: string): SecretPlace => ({
  accountId,
  rowId: endpointId,
  column: 'webhook_endpoints.secret',
});

/** The columns with sealed secrets, in the order in which rotations move a secret, as it is. */
export const SECRET_COLUMNS: readonly SealedColumn[] = [
  { column: 'secret' },
  { column: 'previous_secret' },
  ...Array.from({ length: MAX_SIGNING_SECRETS - 2 }, (_, index) => ({ column: 'older_secrets', element: index + 1 })),
].map((column) => ({
  table: 'webhook_endpoints',
  ...column,
  key: [['id', 'uuid']],
  place: (accountId, [endpointId = '']) => secretPlace(accountId, endpointId),
}));

/** A random secret in the Standard Webhooks format. */
export const newSigningSecret = (): string => `${STANDARD_PREFIX}${randomBytes(GENERATED_BYTES).toString('base64')}`;

/**
 * Whether receivers with a Standard Webhooks library can verify what `secret` signs. They decode what follows `whsec_`,
 * each in its own way unless it is canonical base64, and many of them demand 24 to 64 bytes.
 */
export function isStandardSecret(secret: string): boolean {
  const encoded = secret.slice(STANDARD_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  return key.length >= SECRET_BYTES.min && key.length <= SECRET_BYTES.max && key.toString('base64') === encoded;
}

/** The columns that a rotation reads and changes. */
export type SecretColumns = Pick<
  WebhookEndpoint,
  'secret' | 'previousSecret' | 'previousSecretUntil' | 'olderSecrets' | 'olderSecretsUntil'
>;

/** No replaced secret signs. */
export const NO_REPLACED_SECRETS = {
  previousSecret: null,
  previousSecretUntil: null,
  olderSecrets: [] as string[],
  olderSecretsUntil: [] as Date[],
} as const;

interface ReplacedSecret {
  readonly sealed: string;
  readonly until: Date;
}

/** The replaced secrets that still sign at `at`, newest first. */
export function replacedSecrets(endpoint: SecretColumns, at: Date): ReplacedSecret[] {
  const { previousSecret, previousSecretUntil, olderSecrets, olderSecretsUntil } = endpoint;
  return [previousSecret, ...olderSecrets].flatMap((sealed, index) => {
    const until = index === 0 ? previousSecretUntil : olderSecretsUntil[index - 1];
    return sealed !== null && until != null && until > at ? [{ sealed, until }] : [];
  });
}

/**
 * The columns after a rotation to `fresh`.
 *
 * @param fresh the new secret, sealed
 * @param isFresh whether a sealed secret is the same as the new one, which then no longer signs a second time
 */
export function rotated(
  endpoint: SecretColumns,
  fresh: string,
  isFresh: (sealed: string) => boolean,
  at: Date,
): SecretColumns {
  const current =
    endpoint.secret === null ? [] : [{ sealed: endpoint.secret, until: new Date(at.getTime() + ROTATION_MS) }];
  const [previous, ...older] = [...current, ...replacedSecrets(endpoint, at)].filter(({ sealed }) => !isFresh(sealed));
  return {
    secret: fresh,
    previousSecret: previous?.sealed ?? null,
    previousSecretUntil: previous?.until ?? null,
    olderSecrets: older.map(({ sealed }) => sealed),
    olderSecretsUntil: older.map(({ until }) => until),
  };
}
