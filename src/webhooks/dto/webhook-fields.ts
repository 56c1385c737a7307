import { Anything, characters } from '../../http/field-rules.js';
import { rule } from '../../http/request-fields.js';
import { declaredValues } from '../../manifest/declared-values.js';
import { HEADERS_SCHEMA, headersFault } from '../endpoints/endpoint-headers.js';
import { SECRET } from '../endpoints/endpoint-rules.js';
import { isStandardSecret, SECRET_BYTES, STANDARD_PREFIX } from '../endpoints/endpoint-secrets.js';

export const SUBSCRIPTIONS_DESCRIPTION =
  'Empty or absent: the eleven events of messages, buttons and conversations. Other events reach only endpoints that ' +
  'name them, or `*`: every event, also those added later, for which the key needs the scope `*`';

/** Characters that a URL may have as given. What counts is the length of its canonical spelling. */
export const MAX_GIVEN_URL = 8192;

/** An array of event names. Which there are, only the manifest knows, so `namedEvents` checks it. */
export const EventNames = (): PropertyDecorator =>
  Anything({ type: 'array', items: { type: 'string', ...declaredValues('subscriptions') } });

/** Validates the headers that an endpoint adds to its deliveries. */
export const EndpointHeaders = (): PropertyDecorator => rule(HEADERS_SCHEMA, { wrong: headersFault });

const { min, max } = SECRET;

/**
 * Validates a secret of 1 to 256 characters of any kind, including blanks: its literal bytes are the key. One that begins
 * with `whsec_` must be as Standard Webhooks has it, because its receivers decode it. No message contains a secret.
 */
export const SigningSecret = (): PropertyDecorator =>
  rule<string>(
    { type: 'string', minLength: min, maxLength: max },
    {
      wrong: (path, value) =>
        typeof value === 'string' ? null : `${path} must be a string of ${min} to ${max} characters`,
      beyond: (path, value) => {
        const length = characters(value);
        if (length < min || length > max) return `${path} must have ${min} to ${max} characters (got ${length})`;
        if (!value.startsWith(STANDARD_PREFIX) || isStandardSecret(value)) return null;
        return (
          `${path} must have padded standard base64 of ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes after ` +
          `"${STANDARD_PREFIX}". Let rotate-secret generate one, or use a secret without that prefix`
        );
      },
    },
  );
