/** Whether the operator has alerts on. The server says so in the page's head. */
export const hasAlerts = document.querySelector('meta[name="alerts"]') !== null;
