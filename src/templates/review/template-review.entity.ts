import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When the pending templates of a business account were last polled. */
@Entity('template_reviews')
export class TemplateReview {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  wabaId: string;

  @Column({ type: 'timestamptz' })
  lookedAt: Date;
}
