import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The requests that count against a subject's limit, by time. */
@Entity('rate_limit_windows')
export class RateLimitWindow {
  @PrimaryColumn({ type: 'text' })
  subject: string;

  /** Milliseconds since 1970, oldest first. */
  @Column({ type: 'bigint', array: true, default: () => "'{}'" })
  times: number[];

  /** How many were granted at each time. */
  @Column({ type: 'integer', array: true, default: () => "'{}'" })
  counts: number[];

  @Column({ type: 'integer', default: () => '0' })
  used: number;

  /** How many the latest call granted. */
  @Column({ type: 'integer', default: () => '0' })
  granted: number;
}
