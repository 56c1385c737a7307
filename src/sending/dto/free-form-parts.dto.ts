import { ApiProperty } from '@nestjs/swagger';
import { Id, Optional, shown, Text, wrongType } from '../../http/field-rules.js';
import { ObjectList, ObjectOf } from '../../http/list-rules.js';
import { rule } from '../../http/request-fields.js';
import { isOneEmoji } from '../single/emoji.js';
import { MAX_LIST_ROWS } from '../single/list-message.js';

/** The network's limits, characters. */
const MAX_BUTTON = 20;
const MAX_ROW_ID = 200;
const MAX_TITLE = 24;
const MAX_ROW_DESCRIPTION = 72;
/** Characters of one field of a contact card. */
const MAX_CARD_TEXT = 1024;
/** Entries of one kind on a contact card. */
const MAX_CARD_ENTRIES = 20;

/** A row of a list. */
export class ListRowField {
  @ApiProperty({
    description: 'Comes back in `interactive.id` when the row is picked; unique in the list',
    example: 'morning',
  })
  @Text({ max: MAX_ROW_ID })
  id: unknown;

  @ApiProperty({ example: 'In the morning' })
  @Text({ max: MAX_TITLE })
  title: unknown;

  @ApiProperty({ example: '8 to 12' })
  @Optional()
  @Text({ max: MAX_ROW_DESCRIPTION, blank: true })
  description?: unknown;
}

/** A section of a list. */
export class ListSectionField {
  @ApiProperty({ description: 'Required if the list has several sections', example: 'Tomorrow' })
  @Optional()
  @Text({ max: MAX_TITLE, blank: true })
  title?: unknown;

  @ApiProperty({ description: `At most ${MAX_LIST_ROWS} in all sections together` })
  @ObjectList(ListRowField, { min: 1, max: MAX_LIST_ROWS })
  rows: unknown;
}

/** A menu, from which the contact picks one row. */
export class ListField {
  @ApiProperty({ description: 'The label of the button that opens it', example: 'Choose a time' })
  @Text({ max: MAX_BUTTON })
  button: unknown;

  @ObjectList(ListSectionField, { min: 1, max: MAX_LIST_ROWS })
  sections: unknown;
}

const CardText =
  (example: string): PropertyDecorator =>
  (target, property) => {
    Text({ max: MAX_CARD_TEXT, blank: true })(target, property);
    Optional()(target, property);
    ApiProperty({ example })(target, property);
  };

/** The name on a contact card. */
export class CardNameField {
  @ApiProperty({ description: 'As it is shown', example: 'Casey Example' })
  @Text({ max: MAX_CARD_TEXT })
  formatted_name: string;

  @CardText('Casey') first_name?: string;
  @CardText('Example') last_name?: string;
  @CardText('Q.') middle_name?: string;
  @CardText('Jr.') suffix?: string;
  @CardText('Dr.') prefix?: string;
}

/** A number on a contact card. */
export class CardPhoneField {
  @CardText('+1 555 999 0100') phone?: string;
  @CardText('WORK') type?: string;
  @CardText('15559990100') wa_id?: string;
}

/** An e-mail address on a contact card. */
export class CardEmailField {
  @CardText('casey@example.com') email?: string;
  @CardText('WORK') type?: string;
}

/** A website on a contact card. */
export class CardUrlField {
  @CardText('https://example.com') url?: string;
  @CardText('WORK') type?: string;
}

/** A postal address on a contact card. */
export class CardAddressField {
  @CardText('1 Example Street') street?: string;
  @CardText('Berlin') city?: string;
  @CardText('BE') state?: string;
  @CardText('10115') zip?: string;
  @CardText('Germany') country?: string;
  @CardText('de') country_code?: string;
  @CardText('WORK') type?: string;
}

/** The employer on a contact card. */
export class CardOrganisationField {
  @CardText('Example Ltd') company?: string;
  @CardText('Support') department?: string;
  @CardText('Agent') title?: string;
}

/** A contact card, in the network’s shape. */
export class ContactCardField {
  @ObjectOf(CardNameField)
  name: CardNameField;

  @Optional()
  @ObjectList(CardPhoneField, { max: MAX_CARD_ENTRIES })
  phones?: CardPhoneField[];

  @Optional()
  @ObjectList(CardEmailField, { max: MAX_CARD_ENTRIES })
  emails?: CardEmailField[];

  @Optional()
  @ObjectList(CardUrlField, { max: MAX_CARD_ENTRIES })
  urls?: CardUrlField[];

  @Optional()
  @ObjectList(CardAddressField, { max: MAX_CARD_ENTRIES })
  addresses?: CardAddressField[];

  @Optional()
  @ObjectOf(CardOrganisationField)
  org?: CardOrganisationField;

  @ApiProperty({ description: 'YYYY-MM-DD', example: '1990-01-31' })
  @Optional()
  @Text({ max: MAX_CARD_TEXT, blank: true })
  birthday?: string;
}

/** One emoji, or none. */
const Emoji = (): PropertyDecorator =>
  rule<string>(
    { type: 'string' },
    {
      wrong: (path, value) => (typeof value === 'string' ? null : wrongType(path, 'a string', value)),
      beyond: (path, value) =>
        value === '' || isOneEmoji(value)
          ? null
          : `${path} must be one emoji, or empty to take the reaction back (got ${shown(value)})`,
    },
  );

/** An emoji that is put on a message. */
export class SentReactionField {
  @ApiProperty({ description: 'A message of the conversation of the last 30 days, of either side' })
  @Id()
  message_id: string;

  @ApiProperty({ description: 'One emoji; empty: takes the reaction back', example: '👍' })
  @Emoji()
  emoji: string;
}
