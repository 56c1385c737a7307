import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which message the network means by its id. */
@Entity('network_messages')
export class NetworkMessage {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  networkMessageId: string;

  @Column({ type: 'uuid' })
  messageId: string;

  @Column({ type: 'boolean' })
  outbound: boolean;
}
