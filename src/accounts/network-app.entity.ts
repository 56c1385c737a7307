import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An app at Meta besides the one in the environment. It belongs to the operator, not to an account. */
@Entity('network_apps')
export class NetworkApp {
  /** Meta's id of the app. */
  @PrimaryColumn({ type: 'text' })
  appId: string;

  /** Signs the app's callbacks; encrypted. */
  @Column({ type: 'text' })
  appSecret: string;

  /** Confirms the app's callback URL; encrypted. */
  @Column({ type: 'text' })
  verifyToken: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
