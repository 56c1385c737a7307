import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a phone may send its next message. */
@Entity('phone_throughput')
export class PhoneThroughput {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  businessPhoneId: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  nextAt: Date;

  @Column({ type: 'real', default: () => '1' })
  slowdown: number;

  @Column({ type: 'timestamptz', nullable: true })
  slowedAt: Date | null;

  /** The process that sends this phone's campaigns until {@link ownedUntil}. */
  @Column({ type: 'uuid', nullable: true })
  owner: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  ownedUntil: Date | null;
}
