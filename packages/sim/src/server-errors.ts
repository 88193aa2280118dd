import { apiError } from '@fairlead/apimachinery';
import type { World } from './world.ts';

export const storeAway = () => apiError(500, 'InternalError', 'the store is away');

export function throttled(world: World): Error {
  const retryAfterSeconds = world.between(0, 3);
  return apiError(429, 'TooManyRequests', 'too many requests, please try again later', { retryAfterSeconds });
}
