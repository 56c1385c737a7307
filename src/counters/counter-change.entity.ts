import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change to a counter that has not been folded yet. */
@Entity('counter_changes')
export class CounterChange {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  counter: string;

  @PrimaryColumn({ type: 'uuid' })
  subjectId: string;

  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id: number;

  @Column({ type: 'bigint' })
  amount: number;
}
