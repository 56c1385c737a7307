import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { AuditService } from './audit.service.js';
import { AuditQuery } from './dto/audit.query.js';
import { AuditResponse } from './dto/audit.response.js';

/** The route for the account's audit log. */
@ApiTags('audit')
@Controller('api/v1/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @RequiresScope('audit:read')
  @ApiOperation({
    summary: 'List the audit log, newest first',
    description:
      'Who changed webhooks, API keys, campaigns, agents, business phones and the account, and who erased contacts. ' +
      'What the service does by itself is there too: campaigns that start at their time, pause or fail, and webhooks it disables. ' +
      'An entry commits with its change, and names people by their ids only.',
  })
  @ApiOkResponse({ type: AuditResponse })
  async list(@CurrentCaller() caller: Caller, @Query() query: AuditQuery): Promise<AuditResponse> {
    return AuditResponse.from(await this.audit.list(caller.accountId, query.filter(), query), query);
  }
}
