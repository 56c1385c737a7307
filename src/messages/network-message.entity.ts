import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the network's message ids to ours. */
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
