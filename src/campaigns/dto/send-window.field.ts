import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isPlainObject, shown } from '../../http/field-rules.js';
import { isTimeZone } from '../../values/local-time.js';
import { RECIPIENT_ZONES } from '../dispatch/send-window-rules.js';
import { isGiven } from './personal-fields.js';

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Hours of the day when a campaign may send. */
export class SendWindowField {
  @ApiProperty({ example: '09:00' })
  from: string;

  @ApiProperty({ example: '20:00', description: 'Exclusive. If earlier than `from`, it is on the next day' })
  to: string;

  @ApiPropertyOptional({
    example: 'Europe/Berlin',
    description:
      `An IANA time zone, or \`${RECIPIENT_ZONES}\` for the time zones of each recipient’s phone number. If a number ` +
      'may be in several zones, the window must be open in all of them. Default: `scheduled_timezone`, else UTC',
  })
  timezone?: string;
}

/** The first problem with a window, or null. */
function faultOf(property: string, window: unknown): string | null {
  if (!isPlainObject(window)) return `${property} must be an object with from, to and timezone (got ${shown(window)})`;
  const { from, to, timezone } = window;
  for (const [name, time] of Object.entries({ from, to })) {
    if (!isGiven(time)) return `${property}.${name} is required`;
    if (typeof time !== 'string' || !TIME_OF_DAY.test(time)) {
      return `${property}.${name} must be a time of day from 00:00 to 23:59, such as 09:00 (got ${shown(time)})`;
    }
  }
  if (from === to) return `${property}.from and ${property}.to must differ (both are ${shown(from)})`;
  if (!isGiven(timezone) || timezone === RECIPIENT_ZONES) return null;
  if (typeof timezone === 'string' && isTimeZone(timezone)) return null;
  return (
    `${property}.timezone must be an IANA time zone, such as Europe/Berlin, or ${RECIPIENT_ZONES} ` +
    `(got ${shown(timezone)})`
  );
}

/** Validates a {@link SendWindowField}. */
export const SendWindowRule = (): PropertyDecorator =>
  ValidateBy({
    name: 'sendWindow',
    validator: {
      validate: (value, found) => faultOf(found?.property ?? '', value) === null,
      defaultMessage: (found?: ValidationArguments) => faultOf(found?.property ?? '', found?.value) ?? '',
    },
  });
