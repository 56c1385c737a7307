import { ApiClient, type ApiResponse, type RequestOptions } from './api-client.js';

/** How long a request is repeated before its refusal is the answer, milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Repeats requests that the service refuses for now: 503 `unavailable` with Retry-After, which promises that nothing was
 * done. For crowds that compete for the same rows, where a busy machine makes the last ones wait longer for a lock than
 * the service lets them. Any other answer, and a 503 of another kind, is returned.
 */
class PatientClient extends ApiClient {
  override async request<Body>(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<ApiResponse<Body>> {
    const startedAt = performance.now();
    for (;;) {
      const response = await super.request<Body>(method, path, body, options);
      const retryAfterMs = retryAfterOf(response) * 1000;
      if (retryAfterMs === 0 || performance.now() - startedAt > PATIENCE_MS) return response;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
  }
}

/** The same account, with a client that comes back after a documented 503. */
export const patient = <Account extends { readonly api: ApiClient }>(account: Account): Account => ({
  ...account,
  api: new PatientClient(account.api.baseUrl, account.api.apiKey),
});

/** Seconds after which a refused request may come again; 0 for any other answer. */
function retryAfterOf({ status, headers, text }: ApiResponse<unknown>): number {
  const retryAfter = headers.get('retry-after') ?? '';
  const isRefusal = status === 503 && text.startsWith('{"error":"unavailable"') && /^[1-9]\d*$/.test(retryAfter);
  return isRefusal ? Number(retryAfter) : 0;
}
