import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A counter without its unfolded changes. */
@Entity('counters')
export class Counter {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  counter: string;

  /** The subject of the count: the account itself, a group, a campaign or an assignee (all zeros: unassigned). */
  @PrimaryColumn({ type: 'uuid' })
  subjectId: string;

  @Column({ type: 'bigint' })
  amount: number;
}
