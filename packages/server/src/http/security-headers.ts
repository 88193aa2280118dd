import type { ServerResponse } from 'node:http';

/** What browsers must not do with any answer. Handlers may set other values. */
export function setSecurityHeaders(response: ServerResponse, path: string): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'same-origin');
  if (!/^\/api\/(?:v1|fairlead)\//u.test(path) && path !== '/api/version') return;
  // Answers of the API are data, whatever they contain.
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  response.setHeader('x-frame-options', 'DENY');
}
