/**
 * What this process has computed so far, in milliseconds. Limits of tests are about this time: unlike a clock, it stands
 * still while other programs compute.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
