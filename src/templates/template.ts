export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export type TemplateCategory = (typeof CATEGORIES)[number];

export const STATUSES = ['APPROVED', 'PENDING', 'REJECTED'] as const;
export type TemplateStatus = (typeof STATUSES)[number];

/** What a header may be when a template is created; a record without a header says `NONE`. */
export const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const;
export type HeaderFormat = (typeof HEADER_FORMATS)[number];

/** Header formats that bring a file. */
export const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const;
export type MediaFormat = (typeof MEDIA_FORMATS)[number];

export const isMediaFormat = (format: string): format is MediaFormat =>
  (MEDIA_FORMATS as readonly string[]).includes(format);

export const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW'] as const;
export type ButtonType = (typeof BUTTON_TYPES)[number];

export type ParameterFormat = 'POSITIONAL' | 'NAMED';

/** A component of a template as the network writes it. */
export type NetworkComponent = Readonly<Record<string, unknown>>;

/** A button as records show it (SPEC §4, `buttons[]`); fields that its type does not have are absent. */
export interface StoredButton {
  readonly type: string;
  readonly text?: string;
  readonly url?: string;
  readonly url_example?: string;
  readonly phone_number?: string;
  readonly copy_code_example?: string;
  readonly flow_id?: string;
  readonly flow_action?: string;
  readonly navigate_screen?: string;
}

/** A card as records show it (D24). */
export interface StoredCard {
  readonly header_format: string;
  readonly media_url: string | null;
  readonly body_text: string | null;
  readonly buttons: readonly StoredButton[];
}

export interface StoredOffer {
  readonly text: string;
  readonly has_expiration: boolean;
}

/** A message template of an account (SPEC "Template", D24). */
export interface Template {
  readonly accountId: string;
  readonly id: string;
  /** The network's id of the business account that owns it. */
  readonly wabaId: string;
  /** The business phone it was made for, or the first of its business account. */
  readonly businessPhoneId: string;
  /** The network's id. */
  readonly metaTemplateId: string;
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  readonly status: TemplateStatus;
  /** The network's own word for its state (D23). */
  readonly networkStatus: string;
  readonly rejectionReason: string | null;
  readonly parameterFormat: ParameterFormat;
  readonly headerFormat: HeaderFormat | 'NONE';
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly StoredButton[];
  /** As the network has them. */
  readonly components: readonly NetworkComponent[];
  readonly carouselCards: readonly StoredCard[] | null;
  readonly limitedTimeOffer: StoredOffer | null;
  readonly offerCode: string | null;
  /** Example file of the header, kept for previews (D73). */
  readonly mediaUrl: string | null;
  readonly variableCount: number;
  readonly requiresMedia: boolean;
  readonly isCarousel: boolean;
  /** Seconds a message may wait for its delivery; -1 is the network's default; null when not set. */
  readonly messageSendTtlSeconds: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A template that is about to be stored. */
export type NewTemplate = Omit<Template, 'accountId' | 'createdAt' | 'updatedAt'>;
