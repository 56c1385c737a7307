import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Why the campaigns of a phone wait: the network answers that it is failing, or does not answer at all. */
export type WaitReason = 'phone' | 'network';

/** A phone whose campaigns wait, because the network keeps failing its messages. */
@Entity('phone_waits')
export class PhoneWait {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  businessPhoneId: string;

  @Column({ type: 'text' })
  reason: WaitReason;

  /** The network's latest failure, in plain words. */
  @Column({ type: 'text' })
  detail: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since: Date;

  /** When one process may try one message. */
  @Column({ type: 'timestamptz' })
  probeAt: Date;

  /** Failed tries so far, which set the distance to the next. */
  @Column({ type: 'integer', default: () => '0' })
  probes: number;
}
