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

/** A message template of an account and the state of its review. */
@Entity('templates')
export class Template {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** The network's id of the business account that owns it. */
  @Column({ type: 'text' })
  wabaId: string;

  /** The business phone it was made for, or the first of its business account. */
  @Column({ type: 'uuid' })
  businessPhoneId: string;

  /** The network's id. */
  @Column({ type: 'text' })
  metaTemplateId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  language: string;

  @Column({ type: 'text' })
  category: TemplateCategory;

  @Column({ type: 'text' })
  status: TemplateStatus;

  /** The network's own word for its state. */
  @Column({ type: 'text' })
  networkStatus: string;

  @Column({ type: 'text', nullable: true })
  rejectionReason: string | null;

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

  /** As the network has them. */
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

  /** Seconds a message may wait for its delivery; -1 is the network's default; null when not set. */
  @Column({ type: 'integer', nullable: true })
  messageSendTtlSeconds: number | null;

  /** A deleted template stays for the campaigns made from it; its name is free again. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;
}

/** A template that is about to be stored. */
export type NewTemplate = Omit<Template, 'accountId' | 'deletedAt' | 'createdAt' | 'updatedAt'>;
