import { Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  HeaderFormat,
  NetworkComponent,
  ParameterFormat,
  StoredButton,
  StoredCard,
  StoredOffer,
  TemplateCategory,
  TemplateStatus,
} from './template.js';

/** A message template of an account, with its review status. */
@Entity('templates')
export class Template {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** The network's id of its business account. */
  @Column({ type: 'text' })
  wabaId: string;

  /** The business phone it was created for, or the first of its business account. */
  @Column({ type: 'uuid' })
  businessPhoneId: string;

  /** The network's id. */
  @Column({ type: 'text' })
  metaTemplateId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  language: string;

  /** The category in force, which the network may change. */
  @Column({ type: 'text' })
  category: TemplateCategory;

  /** When the network reported the category, as {@link stateToldAt}. */
  @Column({ type: 'timestamptz', nullable: true })
  categoryToldAt: Date | null;

  @Column({ type: 'text' })
  status: TemplateStatus;

  /** The network's own status, such as `PAUSED`. */
  @Column({ type: 'text' })
  networkStatus: string;

  @Column({ type: 'text', nullable: true })
  rejectionReason: string | null;

  /** When the network reported the state, in whole seconds of its clock; null if no notice with a time has. */
  @Column({ type: 'timestamptz', nullable: true })
  stateToldAt: Date | null;

  @Column({ type: 'text' })
  parameterFormat: ParameterFormat;

  @Column({ type: 'text' })
  headerFormat: HeaderFormat | 'NONE';

  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text', nullable: true })
  footer: string | null;

  @Column({ type: 'jsonb', default: () => "'[]'::jsonb" })
  buttons: readonly StoredButton[];

  /** As the network returns them. */
  @Column({ type: 'jsonb' })
  components: readonly NetworkComponent[];

  @Column({ type: 'jsonb', nullable: true })
  carouselCards: readonly StoredCard[] | null;

  @Column({ type: 'jsonb', nullable: true })
  limitedTimeOffer: StoredOffer | null;

  @Column({ type: 'text', nullable: true })
  offerCode: string | null;

  /** Example file of the header, kept for previews. */
  @Column({ type: 'text', nullable: true })
  mediaUrl: string | null;

  @Column({ type: 'integer' })
  variableCount: number;

  @Column({ type: 'boolean' })
  requiresMedia: boolean;

  @Column({ type: 'boolean' })
  isCarousel: boolean;

  /** How long the network may try to deliver a message, seconds; -1 is its default of 30 days; null when not set. */
  @Column({ type: 'integer', nullable: true })
  messageSendTtlSeconds: number | null;

  /** Deleted templates are kept for their campaigns; their name is free again. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  /** Until then a call may be deleting it on the network; null: none is. */
  @Column({ type: 'timestamptz', nullable: true })
  deletingUntil: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;
}

/** A template to be inserted or updated. */
export type NewTemplate = Omit<
  Template,
  'accountId' | 'categoryToldAt' | 'stateToldAt' | 'deletedAt' | 'deletingUntil' | 'createdAt' | 'updatedAt'
>;
