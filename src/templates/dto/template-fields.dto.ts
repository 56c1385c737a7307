import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_URL_CHARACTERS } from '../../egress/url-rules.js';
import {
  Id,
  isAbsent,
  isBlankText,
  LimitsWhen,
  Optional,
  Text,
  TrueOrFalse,
  wrongChoice,
  wrongType,
} from '../../http/field-rules.js';
import { ObjectList, TextMap } from '../../http/list-rules.js';
import { type FieldRule, rule } from '../../http/request-fields.js';
import type { BodyDraft, ButtonDraft, CardDraft, HeaderDraft, OfferDraft } from '../authoring/template-draft.js';
import { BUTTON_TYPES, type ButtonType, CARD_FORMATS, HEADER_FORMATS, type HeaderFormat } from '../template.js';

/** The network's limits, characters. */
const MAX_HEADER = 60;
const MAX_BODY = 1024;
const MAX_FOOTER = 60;
const MAX_LABEL = 25;
const MAX_BUTTON_URL = 2000;
const MAX_COPY_CODE = 20;
const MAX_OFFER_TEXT = 16;
const MAX_CARD_BODY = 160;
/** Buttons of a card. */
const CARD_BUTTONS = { min: 1, max: 2 } as const;
const FLOW_ACTIONS = ['navigate', 'data_exchange'];
const PHONE = /^\+?[0-9]{5,20}$/;

/** One of a fixed set of strings, where another string may be beyond a limit and not of the wrong type. */
export const ChoiceText = (choices: readonly string[], { early = false } = {}): PropertyDecorator => {
  const choice: FieldRule['wrong'] = (path, value) =>
    choices.includes(value as string) ? null : wrongChoice(path, value, choices);
  return rule(
    { type: 'string', enum: [...choices] },
    {
      early,
      wrong: (path, value, body) => {
        if (!isAbsent(value) && typeof value !== 'string') return wrongType(path, 'a string', value);
        return early || isAbsent(value) ? choice(path, value, body) : null;
      },
      beyond: choice,
    },
  );
};

/** The URL of an example, whose length is judged with the rest of it when it is fetched. */
export const ExampleUrl = (): PropertyDecorator =>
  rule(
    { type: 'string', maxLength: MAX_URL_CHARACTERS },
    { wrong: (path, value) => (typeof value === 'string' ? null : wrongType(path, 'a string', value)) },
  );

/** The id of an example that was uploaded. */
export const ExampleId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ description: 'Instead of `media_url`: the id of a file from `POST /api/v1/media`' }),
    Optional(),
    Id({ status: 400 }),
  );

/** The limits of a button's field hold if it is of this type; other types do not use the field. */
const For = (wanted: ButtonType): PropertyDecorator => LimitsWhen(({ type }: TemplateButtonField) => type === wanted);

/** A text of which nothing but blanks is none. */
export const textOrNull = (text: string | undefined): string | null =>
  text === undefined || isBlankText(text) ? null : text;

export class TemplateHeaderField {
  @ChoiceText(HEADER_FORMATS, { early: true })
  format: HeaderFormat;

  @ApiProperty({ description: 'Required for TEXT; at most one variable' })
  @LimitsWhen(({ format }: TemplateHeaderField) => format === 'TEXT')
  @Optional()
  @Text({ max: MAX_HEADER, blank: true })
  text?: string | null;

  @ApiProperty({ description: 'One example value per header variable' })
  @Optional()
  @TextMap({ quoted: true })
  text_example?: Record<string, string> | null;

  toDraft(): HeaderDraft {
    return { format: this.format, text: this.text ?? null, textExample: this.text_example ?? {} };
  }
}

export class TemplateBodyField {
  @ApiProperty({ description: 'At most 600 characters with a limited-time offer' })
  // Beside an offer the rules of templates refuse more, and say so.
  @LimitsWhen((_, { limited_time_offer }: { limited_time_offer?: unknown }) => isAbsent(limited_time_offer))
  @Text({ max: MAX_BODY })
  text: string;

  @ApiProperty({ description: 'One example value per variable' })
  @Optional()
  @TextMap({ quoted: true })
  examples?: Record<string, string> | null;

  toDraft(): BodyDraft {
    return { text: textOrNull(this.text), examples: this.examples ?? {} };
  }
}

export class TemplateFooterField {
  @ApiProperty({ description: 'No variables' })
  @Text({ max: MAX_FOOTER })
  text: string;
}

export class TemplateButtonField {
  @ChoiceText(BUTTON_TYPES, { early: true })
  type: ButtonType;

  @Optional()
  @Text({ max: MAX_LABEL, blank: true })
  text?: string | null;

  @ApiProperty({ description: 'For URL; percent-encoded; may end with {{1}}' })
  @For('URL')
  @Optional()
  @Text({ max: MAX_BUTTON_URL, blank: true })
  url?: string | null;

  @For('URL')
  @Optional()
  @Text({ max: MAX_BUTTON_URL, blank: true })
  url_example?: string | null;

  @ApiProperty({ description: 'For PHONE_NUMBER' })
  @For('PHONE_NUMBER')
  @Optional()
  @Text({ max: null, blank: true, form: [PHONE, 'be 5 to 20 digits with the country code first'] })
  phone_number?: string | null;

  @ApiProperty({ description: 'For COPY_CODE, unless offer_code is set' })
  @For('COPY_CODE')
  @Optional()
  @Text({ max: MAX_COPY_CODE, blank: true })
  copy_code_example?: string | null;

  @ApiProperty({ description: 'For FLOW' })
  @Optional()
  @Text({ max: null, blank: true })
  flow_id?: string | null;

  @ApiProperty({ default: 'navigate' })
  @For('FLOW')
  @Optional()
  @ChoiceText(FLOW_ACTIONS)
  flow_action?: string | null;

  @Optional()
  @Text({ max: null, blank: true })
  navigate_screen?: string | null;

  toDraft(): ButtonDraft {
    return {
      type: this.type,
      text: this.text ?? null,
      url: this.url ?? null,
      urlExample: this.url_example ?? null,
      phoneNumber: this.phone_number ?? null,
      copyCodeExample: this.copy_code_example ?? null,
      flowId: this.flow_id ?? null,
      flowAction: this.flow_action ?? null,
      navigateScreen: this.navigate_screen ?? null,
    };
  }
}

export class LimitedTimeOfferField {
  @Text({ max: MAX_OFFER_TEXT })
  text: string;

  @ApiProperty({ default: true, description: 'Whether the message shows a countdown' })
  @Optional()
  @TrueOrFalse()
  has_expiration?: boolean | null;

  toDraft(): OfferDraft {
    return { text: textOrNull(this.text), hasExpiration: this.has_expiration ?? true };
  }
}

export class CarouselCardField {
  @ChoiceText(CARD_FORMATS)
  header_format: string;

  // The rules of carousels refuse a card without a file, after everything else.
  @ApiProperty({ description: 'Required unless `media_id` is given' })
  @Optional()
  @ExampleUrl()
  media_url?: string | null;

  @ExampleId()
  media_id?: string | null;

  @Optional()
  @Text({ max: MAX_CARD_BODY, blank: true })
  body_text?: string | null;

  @ObjectList(TemplateButtonField, { ...CARD_BUTTONS, expected: 'an array' })
  buttons: TemplateButtonField[];

  toDraft(): CardDraft {
    return {
      headerFormat: this.header_format ?? null,
      mediaUrl: this.media_url ?? null,
      mediaId: this.media_id ?? null,
      bodyText: this.body_text ?? null,
      buttons: this.buttons?.map((button) => button.toDraft()) ?? [],
    };
  }
}
