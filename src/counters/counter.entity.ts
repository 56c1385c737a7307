import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A count, as far as it is folded. */
@Entity('counters')
export class Counter {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  counter: string;

  /** What is counted for: the account itself, a group, a campaign, an assignee (all zeros: nobody). */
  @PrimaryColumn({ type: 'uuid' })
  subjectId: string;

  @Column({ type: 'bigint' })
  amount: number;
}
