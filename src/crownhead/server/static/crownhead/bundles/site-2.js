var t=e=>e.querySelector("[data-reader]")?.getAttribute("data-reader")??"",r=e=>e.querySelector("[data-reader]")?.textContent??"";export{t as a,r as b};
