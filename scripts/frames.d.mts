import type { Page } from '@playwright/test';

export function framesDuring(
  page: Page,
  work: () => Promise<unknown>,
): Promise<{ frames: Float64Array; longest: number; blocking: number }>;
export function percentile(sorted: Float64Array, share: number): number;
