import { ApiProperty } from '@nestjs/swagger';
import { isAbsent, Optional, shown } from '../../http/field-rules.js';
import { Checked, rule } from '../../http/request-fields.js';
import { isTimeZone } from '../../values/local-time.js';
import { RECIPIENT_ZONES } from '../campaign.js';

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const TimeOfDay = (): PropertyDecorator =>
  rule(
    { type: 'string', pattern: TIME_OF_DAY.source },
    {
      wrong: (path, value) => {
        if (isAbsent(value)) return `${path} is required`;
        if (typeof value === 'string' && TIME_OF_DAY.test(value)) return null;
        return `${path} must be a time of day from 00:00 to 23:59, such as 09:00 (got ${shown(value)})`;
      },
    },
  );

/** A time zone, or those of each recipient. */
const WindowZone = (): PropertyDecorator =>
  rule(
    { type: 'string' },
    {
      wrong: (path, value) =>
        value === RECIPIENT_ZONES || (typeof value === 'string' && isTimeZone(value))
          ? null
          : `${path} must be an IANA time zone, such as Europe/Berlin, or ${RECIPIENT_ZONES} (got ${shown(value)})`,
    },
  );

/** Hours of the day when a campaign may send. */
@Checked(({ from, to }: SendWindowField, path) =>
  from === to ? `${path}.from and ${path}.to must differ (both are ${shown(from)})` : null,
)
export class SendWindowField {
  @ApiProperty({ example: '09:00' })
  @TimeOfDay()
  from: string;

  @ApiProperty({ example: '20:00', description: 'Exclusive. If earlier than `from`, it is on the next day' })
  @TimeOfDay()
  to: string;

  @ApiProperty({
    example: 'Europe/Berlin',
    description:
      `An IANA time zone, or \`${RECIPIENT_ZONES}\` for the time zones of each recipient’s phone number. If a number ` +
      'may be in several zones, the window must be open in all of them. Default: `scheduled_timezone`, else UTC',
  })
  @Optional()
  @WindowZone()
  timezone?: string;
}
