import { Room } from '../manifest/room.js';
import { DAY } from '../values/clock.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';
import { AuditEntry } from './audit-entry.entity.js';

/** Makes the audit log readable. It is written with `AuditLog`, which needs no module. */
@Room({
  areas: ['audit'],
  tags: [['audit', 'Who changed what in the account']],
  entities: [AuditEntry],
  kept: ({ auditRetentionDays }) => ({
    audit_entries: { words: `${auditRetentionDays} days`, ms: auditRetentionDays * DAY },
  }),
  controllers: [AuditController],
  providers: [AuditService],
})
export class AuditModule {}
