import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { templateRuleBroken } from '../../errors/domain-error.js';
import {
  Id,
  LimitsWhen,
  Optional,
  RequiredText,
  Text,
  TrueOrFalse,
  WholeNumber,
  wrongType,
} from '../../http/field-rules.js';
import { ObjectList, ObjectOf } from '../../http/list-rules.js';
import { Checked, RefusedBy, rule } from '../../http/request-fields.js';
import { checkRequest } from '../../http/request-reader.js';
import { checkCarousel } from '../authoring/carousel-rules.js';
import type { CarouselDraft, TemplateDraft } from '../authoring/template-draft.js';
import { checkTemplate, MAX_TTL, NETWORK_TTL } from '../authoring/template-rules.js';
import {
  CATEGORIES,
  LANGUAGE,
  LANGUAGE_FORM,
  MAX_BUTTONS,
  MAX_TEMPLATE_NAME,
  type TemplateCategory,
} from '../template.js';
import {
  CarouselCardField,
  ChoiceText,
  ExampleId,
  ExampleUrl,
  LimitedTimeOfferField,
  TemplateBodyField,
  TemplateButtonField,
  TemplateFooterField,
  TemplateHeaderField,
  textOrNull,
} from './template-fields.dto.js';

const NAME = /^[a-z0-9_]+$/;
const NAME_FORM = 'consist of lowercase letters, digits and underscores, such as order_update_2';
const DEFAULT_LANGUAGE = 'en_US';
/** Characters; the network's limit. */
const MAX_OFFER_CODE = 15;
const EXPIRATION_MINUTES = { min: 1, max: 90 } as const;
/** Cards of a carousel. */
const CARDS = { min: 2, max: 10 } as const;

/** The category decides which limits hold. */
type Categorised = { readonly category?: TemplateCategory };

/** Of AUTHENTICATION templates the network writes the text, so nothing in these fields is accepted at all. */
const UnlessAuthentication = (): PropertyDecorator =>
  LimitsWhen((_, body: Categorised) => body.category !== 'AUTHENTICATION');

const OnlyFor = (category: TemplateCategory): PropertyDecorator =>
  LimitsWhen((_, body: Categorised) => body.category === category);

/** How long the network may try to deliver a message; the range within these bounds depends on the category. */
const DeliverySeconds = (): PropertyDecorator =>
  rule(TTL_SCHEMA, { wrong: (path, value) => (typeof value === 'number' ? null : wrongType(path, 'a number', value)) });

const TTL_SCHEMA: ApiPropertyOptions = { type: 'integer', minimum: NETWORK_TTL, maximum: MAX_TTL };

const TemplateName = (): PropertyDecorator => (target, property) => {
  RequiredText({ status: 400 })(target, property);
  Text({ max: MAX_TEMPLATE_NAME, form: [NAME, NAME_FORM] })(target, property);
};

/** The fields that standard templates and carousels share. A wrong type is a 422 for most, and a 400 for a few. */
class TemplateFields {
  @ApiProperty({ default: DEFAULT_LANGUAGE })
  @Optional()
  @Text({ max: null, blank: true, form: [LANGUAGE, LANGUAGE_FORM] })
  language?: string | null;

  @ApiProperty({ description: 'Default: the primary phone' })
  @Optional()
  @Id({ status: 400 })
  waba_phone_id?: string | null;

  @ApiProperty({ description: 'How long the network may try to deliver a message, seconds' })
  @Optional()
  @DeliverySeconds()
  message_send_ttl_seconds?: number | null;

  /** @throws DomainError for a limit or a rule that it breaks */
  check(): void {
    checkRequest(this);
  }

  protected common() {
    return {
      language: this.language ?? DEFAULT_LANGUAGE,
      wabaPhoneId: this.waba_phone_id ?? null,
      messageSendTtlSeconds: this.message_send_ttl_seconds ?? null,
    };
  }
}

/** Body of `POST /api/v1/templates/create`. */
@RefusedBy(templateRuleBroken)
@Checked((body: CreateTemplateRequest) => checkTemplate(body.toDraft()))
export class CreateTemplateRequest extends TemplateFields {
  @TemplateName()
  name: string;

  @ChoiceText(CATEGORIES, { early: true })
  @RequiredText({ status: 400 })
  category: TemplateCategory;

  @UnlessAuthentication()
  @Optional()
  @ObjectOf(TemplateHeaderField)
  header?: TemplateHeaderField | null;

  @ApiProperty({ description: 'Required for IMAGE, VIDEO and DOCUMENT headers, unless `media_id` is given' })
  @Optional()
  @ExampleUrl()
  media_url?: string | null;

  @ExampleId()
  media_id?: string | null;

  @ApiProperty({ description: 'Required for MARKETING and UTILITY' })
  @UnlessAuthentication()
  @Optional()
  @ObjectOf(TemplateBodyField)
  body?: TemplateBodyField | null;

  @UnlessAuthentication()
  @Optional()
  @ObjectOf(TemplateFooterField)
  footer?: TemplateFooterField | null;

  @UnlessAuthentication()
  @Optional()
  @ObjectList(TemplateButtonField, { max: MAX_BUTTONS, expected: 'an array' })
  buttons?: TemplateButtonField[] | null;

  @ApiProperty({ description: 'MARKETING only' })
  @OnlyFor('MARKETING')
  @Optional()
  @ObjectOf(LimitedTimeOfferField)
  limited_time_offer?: LimitedTimeOfferField | null;

  @Optional()
  @Text({ max: MAX_OFFER_CODE, blank: true })
  offer_code?: string | null;

  @ApiProperty({ description: 'AUTHENTICATION only' })
  @Optional()
  @TrueOrFalse()
  add_security_recommendation?: boolean | null;

  @ApiProperty({ description: 'AUTHENTICATION only' })
  @OnlyFor('AUTHENTICATION')
  @Optional()
  @WholeNumber(EXPIRATION_MINUTES.min, EXPIRATION_MINUTES.max)
  code_expiration_minutes?: number | null;

  toDraft(): TemplateDraft {
    return {
      kind: 'standard',
      name: this.name,
      ...this.common(),
      category: this.category,
      header: this.header?.toDraft() ?? null,
      mediaUrl: this.media_url ?? null,
      mediaId: this.media_id ?? null,
      body: this.body?.toDraft() ?? null,
      footer: this.footer ? { text: textOrNull(this.footer.text) } : null,
      buttons: this.buttons?.map((button) => button.toDraft()) ?? null,
      limitedTimeOffer: this.limited_time_offer?.toDraft() ?? null,
      offerCode: this.offer_code ?? null,
      addSecurityRecommendation: this.add_security_recommendation ?? null,
      codeExpirationMinutes: this.code_expiration_minutes ?? null,
    };
  }
}

/** Body of `POST /api/v1/templates/create-carousel`. */
@RefusedBy(templateRuleBroken)
@Checked((body: CreateCarouselRequest) => checkCarousel(body.toDraft()))
export class CreateCarouselRequest extends TemplateFields {
  @TemplateName()
  name: string;

  @ObjectOf(TemplateBodyField)
  body: TemplateBodyField;

  @ObjectList(CarouselCardField, { ...CARDS, expected: 'an array' })
  cards: CarouselCardField[];

  toDraft(): CarouselDraft {
    return {
      kind: 'carousel',
      name: this.name,
      ...this.common(),
      body: this.body?.toDraft() ?? null,
      cards: this.cards?.map((card) => card.toDraft()) ?? [],
    };
  }
}
