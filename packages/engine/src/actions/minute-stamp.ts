/** `202411180412` in UTC: the end of the name of an object that is created by hand. */
export const minuteStamp = (now: number): string => new Date(now).toISOString().replace(/\D/gu, '').slice(0, 12);
