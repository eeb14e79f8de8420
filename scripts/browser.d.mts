import type { LaunchOptions } from '@playwright/test';

export function findBrowser(): string | undefined;
export function headlessShell(): Pick<LaunchOptions, 'executablePath' | 'channel'>;
export function ensureBrowser(): string;
