import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

/** Makes the audit log readable. It is written with `AuditLog`, which needs no module. */
@Module({ controllers: [AuditController], providers: [AuditService] })
export class AuditModule {}
