import type { RecordId } from 'parley';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What one contact answered to one survey. */
@Entity('surveys_answers')
export class SurveyAnswer {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  surveyId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  /** The number of the option, from 1. */
  @Column({ type: 'integer' })
  choice: number;

  @Column({ type: 'timestamptz' })
  answeredAt: Date;
}
