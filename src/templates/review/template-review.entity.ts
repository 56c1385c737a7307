import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When the network was last asked for decisions about a business account. */
@Entity('template_reviews')
export class TemplateReview {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  wabaId: string;

  @Column({ type: 'timestamptz' })
  lookedAt: Date;
}
