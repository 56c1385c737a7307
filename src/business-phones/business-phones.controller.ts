import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { PageQuery } from '../http/page.dto.js';
import { BusinessPhoneListResponse } from './dto/business-phone-list.response.js';

@ApiTags('business-phones')
@Controller('api/v1/business-phones')
export class BusinessPhonesController {
  constructor(private readonly phones: BusinessPhonesService) {}

  @Get()
  @RequiresScope('business_phones:read')
  @ApiOperation({ summary: 'List the business phones of the account, primary first; with `cursor` oldest first' })
  @ApiOkResponse({ type: BusinessPhoneListResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() query: PageQuery): Promise<BusinessPhoneListResponse> {
    return BusinessPhoneListResponse.from(await this.phones.list(accountId), query);
  }
}
