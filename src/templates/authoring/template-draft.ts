import type { RecordId } from '../../values/record-id.js';
import type { ButtonType, HeaderFormat, TemplateCategory } from '../template.js';

/** Example values by variable, as given by the caller. */
export type Examples = Readonly<Record<string, string>>;

/** A button of a draft. */
export interface ButtonDraft {
  readonly type: ButtonType;
  readonly text: string | null;
  readonly url: string | null;
  readonly urlExample: string | null;
  readonly phoneNumber: string | null;
  readonly copyCodeExample: string | null;
  readonly flowId: string | null;
  readonly flowAction: string | null;
  readonly navigateScreen: string | null;
}

export interface HeaderDraft {
  readonly format: HeaderFormat;
  readonly text: string | null;
  readonly textExample: Examples;
}

export interface BodyDraft {
  readonly text: string | null;
  readonly examples: Examples;
}

export interface OfferDraft {
  readonly text: string | null;
  readonly hasExpiration: boolean;
}

/** The fields that standard templates and carousels share. */
interface CommonDraft {
  readonly name: string;
  readonly language: string;
  /** Record id of the business phone, or null for the first one. */
  readonly wabaPhoneId: string | null;
  readonly body: BodyDraft | null;
  readonly messageSendTtlSeconds: number | null;
}

/** A template to be created: JSON types are checked, rules are not. */
export interface TemplateDraft extends CommonDraft {
  readonly kind: 'standard';
  readonly category: TemplateCategory;
  readonly header: HeaderDraft | null;
  readonly mediaUrl: string | null;
  /** Of an uploaded file, instead of a URL. */
  readonly mediaId: RecordId | null;
  readonly footer: { readonly text: string | null } | null;
  readonly buttons: readonly ButtonDraft[] | null;
  readonly limitedTimeOffer: OfferDraft | null;
  readonly offerCode: string | null;
  readonly addSecurityRecommendation: boolean | null;
  readonly codeExpirationMinutes: number | null;
}

export interface CardDraft {
  readonly headerFormat: string | null;
  readonly mediaUrl: string | null;
  readonly mediaId: RecordId | null;
  readonly bodyText: string | null;
  readonly buttons: readonly ButtonDraft[];
}

/** A carousel to be created: JSON types are checked, rules are not. */
export interface CarouselDraft extends CommonDraft {
  readonly kind: 'carousel';
  readonly cards: readonly CardDraft[];
}
