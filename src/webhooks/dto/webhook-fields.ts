import { ValidateBy, type ValidationArguments } from 'class-validator';
import { characters, described } from '../../http/field-rules.js';
import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import { SECRET } from '../endpoints/endpoint-rules.js';

const isKind = (value: unknown): value is EventKind => (EVENT_KINDS as readonly unknown[]).includes(value);

const EVENT_NAMES = ValidateBy({
  name: 'eventNames',
  validator: {
    validate: (value) => Array.isArray(value) && value.length > 0 && value.every(isKind),
    defaultMessage: (found) => {
      const { property, value } = found as ValidationArguments;
      if (!Array.isArray(value)) return `${property} must be an array of event names`;
      if (value.length === 0) return `${property} must name at least one event (got 0); leave it out for all`;
      const index = value.findIndex((item) => !isKind(item));
      const shown = String(JSON.stringify(value[index])).slice(0, 60);
      return `${property}[${index}] must be one of ${EVENT_KINDS.join(', ')} (got ${shown})`;
    },
  },
});

const { least, most } = SECRET;

const SIGNING_SECRET = ValidateBy({
  name: 'signingSecret',
  validator: {
    validate: (value) => typeof value === 'string' && characters(value) >= least && characters(value) <= most,
    // The value itself is not repeated: it is a secret.
    defaultMessage: (found) => {
      const { property, value } = found as ValidationArguments;
      if (typeof value !== 'string') return `${property} must be a string of ${least} to ${most} characters`;
      return `${property} must have ${least} to ${most} characters (got ${characters(value)})`;
    },
  },
});

/** An array of event names, one at least; an unknown one is named. */
export const EventNames = (): PropertyDecorator =>
  described({ type: 'array', items: { type: 'string', enum: [...EVENT_KINDS] }, minItems: 1 }, EVENT_NAMES);

/** 1 to 256 characters of any kind, blanks too: its literal bytes are the key. */
export const SigningSecret = (): PropertyDecorator =>
  described({ type: 'string', minLength: least, maxLength: most }, SIGNING_SECRET);
