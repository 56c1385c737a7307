import { ValidateBy, type ValidationArguments } from 'class-validator';
import { characters, described, isAbsent, wrongChoice, wrongType } from '../../http/field-rules.js';
import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import { SECRET } from '../endpoints/endpoint-rules.js';

const isKind = (value: unknown): value is EventKind => (EVENT_KINDS as readonly unknown[]).includes(value);

/** Validates a non-empty array of event names; the error names the first unknown one. */
export const EventNames = (): PropertyDecorator =>
  described(
    { type: 'array', items: { type: 'string', enum: [...EVENT_KINDS] }, minItems: 1 },
    ValidateBy({
      name: 'eventNames',
      validator: {
        validate: (value) => Array.isArray(value) && value.length > 0 && value.every(isKind),
        defaultMessage: (found) => {
          const { property, value } = found as ValidationArguments;
          if (!Array.isArray(value)) {
            return isAbsent(value)
              ? `${property} must be an array of event names`
              : wrongType(property, 'an array of event names', value);
          }
          if (value.length === 0) return `${property} must name at least one event (got 0). Omit it to get all events`;
          const index = value.findIndex((item) => !isKind(item));
          return wrongChoice(`${property}[${index}]`, value[index], EVENT_KINDS);
        },
      },
    }),
  );

const { min, max } = SECRET;

/** Validates a secret of 1 to 256 characters of any kind, including blanks: its literal bytes are the key. */
export const SigningSecret = (): PropertyDecorator =>
  described(
    { type: 'string', minLength: min, maxLength: max },
    ValidateBy({
      name: 'signingSecret',
      validator: {
        validate: (value) => typeof value === 'string' && characters(value) >= min && characters(value) <= max,
        // The message must not contain the value, which is a secret.
        defaultMessage: (found) => {
          const { property, value } = found as ValidationArguments;
          if (typeof value !== 'string') return `${property} must be a string of ${min} to ${max} characters`;
          return `${property} must have ${min} to ${max} characters (got ${characters(value)})`;
        },
      },
    }),
  );
